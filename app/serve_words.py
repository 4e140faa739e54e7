"""Sentences about what config.toml, a client's settings and a request ask for that cannot be done, in English.

A sentence says why, and what to write instead. Keys are called as they were written.
"""

from collections import defaultdict

from app.data.fault import Fault

FAULTS: dict[str, str] = {
    # Of the file
    "unreadable": "The file cannot be read: {message}.",
    "not_text": "The file is not UTF-8 text. Save it as UTF-8.",
    "not_toml": "The file is no TOML: {message}.",
    "not_json": "The file is no JSON: {message}.",
    "unknown_section": "There is no section of that name{nearest}. Known: {known}.",
    "unknown_key": "There is no key of that name{nearest}. Known: {known}.",
    "not_a_section": "It must be a section: [{key}].",
    "unnamed_section": "Give it a name of its own: [{key}.NAME].",
    "bad_name": "A name is letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.",
    "wrong_type": "It must be {expected}; {found} was written.",
    "variable_unset": "The environment variable {variable} is not set. Set it, or write the value.",
    "variable_form": "A variable is written ${{env:NAME}}, with letters, digits and underscores.",
    # Methods
    "unknown_value": "{value} is not known. Known: {known}.",
    "impl_layers": "This model is not {value}: its layers are {layers}. Write auto, or choose another model.",
    "not_in_segments": "{value} works on a text that is read whole, not in segments. Set {extrapolation} to auto or "
    "none, or {impl} to parallel.",
    "stretched_when_loaded": "Positions are stretched when the model is loaded ({value}; now: {now}): set rope_scaling "
    "in [long_context] of config.toml, and ask again.",
    "impl_is_parallel": "{impl} says that every text is read in segments, and {value} says otherwise. Leave one out.",
    "too_small": "It must be {least} or more.",
    "no_segments": "Nothing is read in segments here, so it would do nothing: {extrapolation} is none, or a policy or "
    "a selection has texts read whole. Leave it out, or set {impl} to parallel.",
    "not_a_share": "{value} is no share: write 0.1 to keep a tenth; it is above 0 and at most 1.",
    "compress_how_much": "What share of a segment stays? Set {compress_ratio}, for instance to 0.5.",
    "nothing_chooses": "Nothing chooses what is kept. Set {impl} to triattention, h2o, snapkv or streaming (blocks, "
    "for a model that chooses blocks itself), or {eviction_strategy} to compression.",
    "blocks_keep_all": "blocks is a selection for this model, whose layers are {layers}: all is kept, and a part is "
    "looked at. Leave it out, or set {impl} to triattention, h2o, snapkv or streaming.",
    "no_blocks": "This model's layers are {layers}: none chooses blocks of a text that could be forgotten, and they "
    "are not all full, which a selection of blocks is for. Write auto and no share, or choose another model.",
    "no_score_window": "Only these policies choose by a window of tokens: {policies}. Leave it out, or set {impl}.",
    "score_window_fixed": "It is {own} for {policy} and cannot be another. Write {own}, or leave it out.",
    "weight_of_triattention": "It is a part of triattention and of nothing else. Set {impl} to triattention, or leave "
    "it out.",
    # Keys of config.toml
    "key_characters": "A key is one word of visible letters: it holds a space, a line end or a quotation mark.",
    "key_short": "A key of fewer than {least} characters can be guessed. `longread keys add` makes a good one.",
    "key_for_nothing": "It is about {needs}, which is not there. Add that, or leave this out.",
    "tls_two_files": "A certificate needs its key and a key its certificate: set tls_certificate and tls_key, or tls "
    "alone for one that is made here.",
    "file_missing": "There is no file at that place.",
    "switch_off": "It waits for {switch} = true. Add that, or leave this out.",
    "never_cut": "A text is never cut here, neither its beginning nor its middle: a model that has not seen all of it "
    "answers as if it had. What does not fit is read in segments, or refused with both numbers. Write false, and "
    'extrapolation = "auto".',
    "address_twice": "base_url and api_base mean the same and say different things. Leave one out.",
    "address_missing": 'Its address is missing: base_url = "https://host/v1".',
    "address_form": "{value} is no address of a server. Write it like https://host:8000/v1.",
    "key_twice": "api_key and api_key_env are both there. Leave one out.",
    "model_missing": 'Which model? model = "a folder, a .gguf file or a name of `longread models`".',
    "name_taken": "A model of `longread models` is called so. Choose another name.",
    # What the model says
    "tokenizer_other": "It is not the model's, which was trained with no other: the numbers would mean other words to "
    "it. Leave it out, or put the tokenizer into the model's folder.",
    "impl_of_nothing": "This model has no such layers, which {value} could compute: it has {layers}. Write auto, or "
    "leave it out.",
    "theta_other": "The base of this model's positions is {own}; by {value} it would see other distances than it was "
    "trained on. Write {own}, or leave it out. rope_scaling in [long_context] stretches the positions.",
    "ratio_other": "{value} is not this model's: {count} of its {layers} layers are {kind}, which is {own}. Layers are "
    "trained as what they are and cannot be exchanged. Write {own}, or leave it out.",
    "not_gptq": "The model's weights are stored as {stored}, not as GPTQ of 4 bits. Make such a copy with `longread "
    "models quantize MODEL --bits 4 --method gptq` and name it in model_path, or choose int8.",
    "window_beyond": "The model reads {most} tokens whole, and {value} were asked for. Write {most} or less, set "
    "rope_scaling to yarn where the model allows it, or extrapolation to auto: then longer texts are read in segments.",
    "not_stretched": "This model's positions cannot be stretched: {why}",
    # A client's settings
    "no_api_base": "It names no address of a server (api_base).",
    "not_https": "{value} is no address of a server. Write it like https://host:8000/v1.",
    "not_streamed": "Answers are always shown while they are written. Write true, or leave it out.",
    "unknown_model": "{value} is not among its models: {known}.",
}


def said(fault: Fault) -> str:
    """ "attention.impl (line 12): ..."; without a key the sentence alone."""
    sentence = FAULTS[fault.code].format_map(defaultdict(lambda: "?", {"key": fault.key} | fault.values))
    where = f" (line {fault.line})" if fault.line else ""
    return f"{fault.key}{where}: {sentence}" if fault.key else sentence
