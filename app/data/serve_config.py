"""Every key of the file that `longread serve --config` reads: type, limits, default and meaning, declared once.

None: nothing is said. The meanings are the comments of `longread serve --print-config`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from app.data.gateway import LOOPBACK, PORT
from engine.protocol import Extension, Kernel, Precision

Text = Annotated[str, Meta(max_length=4096)]
Share = Annotated[float, Meta(gt=0, le=1)]
Ratio = Annotated[float, Meta(ge=0, le=1)]
Tokens = Annotated[int, Meta(ge=512)]
Chunk = Annotated[int, Meta(ge=128)]
Seconds = Annotated[float, Meta(gt=0)]


class Server(Struct, frozen=True):
    host: Annotated[
        Text, Meta(description="The address that is listened on. Another than this computer's own lets others in.")
    ] = LOOPBACK
    port: Annotated[int, Meta(ge=0, le=65535, description="0: any that is free.")] = PORT
    names: Annotated[
        tuple[Text, ...], Meta(description="By which clients may call this computer, beside its usual ones.")
    ] = ()
    tls: Annotated[bool, Meta(description="Encrypt, with the two files below or with a certificate made here.")] = False
    tls_certificate: Annotated[Text, Meta(description="A PEM file.")] = ""
    tls_key: Annotated[Text, Meta(description="A PEM file.")] = ""
    api_key: Annotated[
        Text,
        Meta(description='Opens the API beside the keys of `longread keys`; "${env:NAME}" takes it from a variable.'),
    ] = ""
    api_key_remote: Annotated[bool, Meta(description="Whether that key may send texts to the providers below.")] = False
    model_path: Annotated[
        Text, Meta(description="A folder, a .gguf file or a name of `longread models`; empty: the small model.")
    ] = ""
    tokenizer_path: Annotated[
        Text, Meta(description="The model's own, where it is said: no other can be used with it.")
    ] = ""
    context_length: Annotated[Tokens | None, Meta(description="Tokens of the window; else the largest that fits.")] = (
        None
    )
    mem_fraction_static: Annotated[
        Share, Meta(description="Share of the device's memory that the model and what it reads may take.")
    ] = 1.0
    request_timeout: Annotated[
        Seconds | None, Meta(description="Seconds from a request to its answer's end; else as long as it takes.")
    ] = None
    switch: Annotated[bool, Meta(description="Whether a request may have another local model loaded.")] = False


class Attention(Struct, frozen=True):
    impl: Annotated[
        Text,
        Meta(
            description="auto: as the model was made. full, sala, moba, nsa: that, and refused of another model; "
            "sala with compress_ratio forgets blocks. triattention, h2o, snapkv, streaming: forget by this policy. "
            "quest: look at a selection. blocks: look at one, or of a model that chooses blocks itself, forget some. "
            "parallel: read in segments."
        ),
    ] = "auto"
    compress_ratio: Annotated[
        Share | None,
        Meta(description="Share of keys and values that is kept, by a policy or in compressed segments."),
    ] = None
    score_window: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(
            description="Tokens. triattention: chooses for queries up to so far ahead, 65536 if nothing is said. "
            "snapkv: 32, by which it chooses, and no other."
        ),
    ] = None
    adaptive_weight: Annotated[
        bool | None,
        Meta(
            description="triattention: lengths of keys count for the more, the less alike a head's queries are; false: "
            "whatever those are like."
        ),
    ] = None
    trig_freq_base: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="The base of the model's positions (its rope_theta).")
    ] = None
    sparse_layers_ratio: Annotated[Ratio | None, Meta(description="Of the model's layers; a check of the model.")] = (
        None
    )
    linear_layers_ratio: Annotated[Ratio | None, Meta(description="Of the model's layers; a check of the model.")] = (
        None
    )
    sparse_impl: Annotated[
        Kernel, Meta(description="How sparse layers are computed: auto, native (CPU), triton (NVIDIA) or torch.")
    ] = "auto"
    linear_impl: Annotated[Kernel, Meta(description="How lightning layers are computed, in the same words.")] = "auto"


class Quantization(Struct, frozen=True):
    enabled: Annotated[bool, Meta(description="false: weights in the precision that suits the checkpoint.")] = False
    method: Annotated[
        Literal["gptq_int4", "int8"],
        Meta(
            description="gptq_int4: a checkpoint of `longread models quantize`, or another GPTQ one. int8: any model, "
            "rounded when it is loaded."
        ),
    ] = "int8"


class LongContext(Struct, frozen=True):
    extrapolation: Annotated[
        Text,
        Meta(
            description="auto: in segments what the window does not hold. none: refuse that. parallel: always segments."
        ),
    ] = "auto"
    chunk_size: Annotated[Chunk | None, Meta(description="Tokens of a segment; else what suits the model.")] = None
    kv_eviction: Annotated[bool, Meta(description="Whether rows of segments are given up, by the strategy below.")] = (
        False
    )
    eviction_strategy: Annotated[
        Text,
        Meta(
            description="calibration: what a question attends to abnormally much. compression: all but compress_ratio. "
            "calibration-compression: both."
        ),
    ] = "calibration"
    rope_scaling: Annotated[
        Extension, Meta(description="yarn or ntk: stretch the positions for a window up to eight times the model's.")
    ] = "none"
    auto_truncate: Annotated[bool, Meta(description="Can be false alone: nothing is cut, here or anywhere.")] = False


class ProviderSection(Struct, frozen=True):
    """A server on another computer; its models are called `<provider>/<model>`."""

    base_url: Annotated[Text, Meta(description="Its address, with or without /v1.")] = ""
    api_base: Annotated[Text, Meta(description="The same, as other programs call it.")] = ""
    api_key: Annotated[Text, Meta(description="Its key; better in a variable.")] = ""
    api_key_env: Annotated[Text, Meta(description="The variable that holds its key.")] = ""
    timeout_seconds: Annotated[Seconds, Meta(description="That it may be silent.")] = 600.0
    max_retries: Annotated[
        int, Meta(ge=0, le=10, description="Before the first word of an answer; never after it.")
    ] = 2
    models: Annotated[tuple[Text, ...], Meta(description="Its models; else those that it tells of.")] = ()


class ModelSection(Struct, frozen=True):
    """A local model under a name of its own. What is not said is as the sections above say it."""

    model: Annotated[Text, Meta(description="As model_path.")] = ""
    window: Annotated[Tokens | None, Meta(description="As context_length.")] = None
    precision: Annotated[Precision | None, Meta(description="Of its weights.")] = None
    mode: Annotated[Literal["auto", "whole", "parallel"] | None, Meta(description="How texts are read.")] = None
    policy: Annotated[Text | None, Meta(description="As attention.impl.")] = None
    keep: Annotated[Share | None, Meta(description="As attention.compress_ratio.")] = None
    chunk_size: Annotated[Chunk | None, Meta(description="As long_context.chunk_size.")] = None
    rope_scaling: Annotated[Extension | None, Meta(description="As long_context.rope_scaling.")] = None


class ServeConfig(Struct, frozen=True):
    """`given`: the keys that the file holds, with their sections, and the lines that they stand on; 0: not known."""

    server: Server = Server()
    attention: Attention = Attention()
    quantization: Quantization = Quantization()
    long_context: LongContext = LongContext()
    providers: dict[str, ProviderSection] = {}
    models: dict[str, ModelSection] = {}
    given: dict[str, int] = {}
