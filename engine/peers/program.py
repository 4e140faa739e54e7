"""Another engine for one measurement: run by the Python that has it, told what to do in lines of JSON.

    python program.py llama-cpp|transformers

The first line out is {"ready": {...}} or {"absent": module}. Then each line in, {"do": ..., ...}, is answered by any
number of {"done": parts, "of": parts} of a text that it reads (tokens; or layers, where all go through one before the
next) and one {"ok": {...}} or {"error": text}. Nothing of Longread is imported: that Python need not have it. Tokens
are ids; times are seconds by this process's own clock.
"""

import ctypes
import json
import os
import queue
import sys
import threading
import time

if sys.path and os.path.abspath(sys.path[0]) == os.path.dirname(os.path.abspath(__file__)):
    sys.path.pop(0)  # what lies beside this file is nobody's `transformers`

PIECE = 2048
"""Tokens that llama.cpp is given at once, between two lines that tell how far it is."""


class LlamaCpp:
    """llama.cpp through llama-cpp-python, on the processor."""

    def __init__(self):
        import llama_cpp

        self._library = llama_cpp
        system = llama_cpp.llama_print_system_info().decode()
        able = [part.split(" = ")[0].strip() for part in system.replace("CPU :", "").split("|") if part.endswith("1 ")]
        self.about = {"version": llama_cpp.__version__, "built with": " ".join(able)}

    def open(self, model, threads, window, native, tell, flash_attn=True):
        """`window` beyond `native` tokens is reached by YaRN."""
        self._tell = tell
        flags = {
            "n_ctx": window,
            "n_batch": PIECE,
            "n_ubatch": 512,
            "n_threads": threads,
            "n_threads_batch": threads,
            "n_gpu_layers": 0,
            "flash_attn": flash_attn,
        }
        if window > native:
            yarn = self._library.LLAMA_ROPE_SCALING_TYPE_YARN
            flags.update(rope_scaling_type=yarn, rope_freq_scale=native / window, yarn_orig_ctx=native)
        self._model = self._library.Llama(model, verbose=False, **flags)
        self._ids = []
        return flags

    def read(self, ids):
        self._model.reset()
        self._eval(ids, 0)

    def write(self, count):
        length = self._model.n_tokens
        for _ in range(count):
            self._model.eval([self._next()])
        self._model.n_tokens = length  # `eval` gives up what stands behind it

    def ask(self, ids, count, ends):
        """Greedily, over what is in the cache of the prompt already. Yields each token."""
        reused = 0
        while reused < min(len(ids) - 1, len(self._ids)) and ids[reused] == self._ids[reused]:
            reused += 1
        self._model.n_tokens = reused
        self._eval(ids[reused:], reused)
        self._ids = list(ids)
        for _ in range(count):
            token = self._next()
            yield token
            if token in ends:
                return
            self._model.eval([token])

    def save(self, path):
        """The cache of the prompt that was asked last; what was written after it goes."""
        self._model._ctx.kv_cache_seq_rm(-1, len(self._ids), -1)
        tokens = (self._library.llama_token * len(self._ids))(*self._ids)
        if not self._library.llama_state_seq_save_file(self._model.ctx, path.encode(), 0, tokens, len(self._ids)):
            raise OSError("the state was not saved")
        return True

    def restore(self, path, most):
        """What was saved, of up to `most` tokens."""
        tokens, count = (self._library.llama_token * most)(), ctypes.c_size_t()
        if not self._library.llama_state_seq_load_file(
            self._model.ctx, path.encode(), 0, tokens, most, ctypes.byref(count)
        ):
            raise OSError("the state was not loaded")
        self._ids = list(tokens[: count.value])

    def _eval(self, ids, before):
        for start in range(0, len(ids), PIECE):
            self._model.eval(ids[start : start + PIECE])
            self._tell(before + min(start + PIECE, len(ids)), before + len(ids))

    def _next(self):
        logits = self._library.llama_get_logits_ith(self._model.ctx, -1)
        return int(self._numpy().ctypeslib.as_array(logits, (self._model.n_vocab(),)).argmax())

    @staticmethod
    def _numpy():
        import numpy

        return numpy


class Transformers:
    """transformers' own model, attention and cache in bf16, on the processor."""

    def __init__(self):
        import torch
        import transformers

        self._torch, self._library = torch, transformers
        self.about = {"version": transformers.__version__, "torch": torch.__version__}

    def open(self, model, threads, window, native, tell, weights=None):
        """`weights`: a GGUF file's in bf16, by transformers' names; its own reading of them needs packages more."""
        torch, library = self._torch, self._library
        library.logging.set_verbosity_error()
        torch.set_num_threads(threads)
        flags = {"dtype": "bfloat16", "attn_implementation": "sdpa", "cache": "DynamicCache", "threads": threads}
        place = (model, {})
        if os.path.isfile(model):
            place = (os.path.dirname(model), {"gguf_file": os.path.basename(model)})
        config = library.AutoConfig.from_pretrained(place[0], local_files_only=True, **place[1])
        if window > native:
            yarn = {"rope_type": "yarn", "factor": window / native, "original_max_position_embeddings": native}
            known = getattr(config, "rope_parameters", None)
            theta = (known or {}).get("rope_theta") or getattr(config, "rope_theta", 10000.0)
            if hasattr(config, "rope_parameters"):
                config.rope_parameters = dict(yarn, rope_theta=theta)
            else:
                config.rope_scaling = yarn
            config.max_position_embeddings = window
            flags.update(yarn)
        kind = library.AutoModelForCausalLM
        if weights is None:
            self._model = kind.from_pretrained(
                model, config=config, dtype=torch.bfloat16, attn_implementation="sdpa", local_files_only=True
            )
        else:
            from safetensors.torch import load_file

            self._model = kind.from_config(config, dtype=torch.bfloat16, attn_implementation="sdpa")
            missing, unexpected = self._model.load_state_dict(load_file(weights), strict=False)
            if unexpected or set(missing) - {"lm_head.weight"}:
                raise ValueError(f"other tensors are wanted: {missing}, {unexpected}")
            self._model.tie_weights()
        self._model.eval()
        layers = self._model.model.layers
        self._long = False

        def told(number):
            def hook(*ignored):
                if self._long:
                    tell(number + 1, len(layers))

            return hook

        for number, layer in enumerate(layers):
            layer.register_forward_hook(told(number))
        self._config, self._ids = config, []
        self._cache = library.DynamicCache(config=config)
        return flags

    def read(self, ids):
        self._cache = self._library.DynamicCache(config=self._config)
        self._logits = self._step(ids)

    def write(self, count):
        logits = self._logits
        for _ in range(count):
            logits = self._step([int(logits.argmax())])
        self._cache.crop(-count)

    def ask(self, ids, count, ends):
        reused = 0
        while reused < min(len(ids) - 1, len(self._ids)) and ids[reused] == self._ids[reused]:
            reused += 1
        more = self._cache.get_seq_length() - reused
        if more:
            self._cache.crop(-more)
        logits = self._step(ids[reused:])
        self._ids = list(ids)
        for _ in range(count):
            token = int(logits.argmax())
            yield token
            if token in ends:
                return
            logits = self._step([token])

    def save(self, path):
        return False  # it has no way of its own

    def _step(self, ids):
        self._long = len(ids) > PIECE
        with self._torch.inference_mode():
            inputs = self._torch.tensor([ids])
            return self._model(inputs, past_key_values=self._cache, use_cache=True, logits_to_keep=1).logits[0, -1]


ENGINES = {"llama-cpp": (LlamaCpp, "llama_cpp"), "transformers": (Transformers, "transformers")}


def answer(engine, command, say):
    """What one command comes to. Raises whatever the engine does."""
    do = command.pop("do")
    began = time.perf_counter()
    if do == "open":
        flags = engine.open(tell=lambda done, of: say({"done": done, "of": of}), **command)
        return {"flags": flags, "seconds": time.perf_counter() - began}
    if do == "ask":
        tokens, first = [], None
        for token in engine.ask(**command):
            first = time.perf_counter() - began if first is None else first
            tokens.append(token)
        return {"first": first, "seconds": time.perf_counter() - began, "tokens": tokens}
    if do not in ("read", "write", "save", "restore"):
        raise ValueError(f"nothing is known of {do!r}")
    result = getattr(engine, do)(**command)
    return {"seconds": time.perf_counter() - began, "result": result}


def listen(lines):
    """Nobody waits any more when the input ends: then so does this process, whatever it does."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def main(name):
    # No library's print may break the lines
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(message):
        out.write(json.dumps(message) + "\n")
        out.flush()

    kind, module = ENGINES[name]
    try:
        engine = kind()
    except ImportError as error:
        say({"absent": error.name or module})
        return
    say({"ready": dict(engine.about, python=sys.version.split()[0])})
    lines = queue.Queue()
    threading.Thread(target=listen, args=(lines,), daemon=True).start()
    while True:
        try:
            say({"ok": answer(engine, json.loads(lines.get()), say)})
        except Exception as error:  # noqa: BLE001 - whatever another program raises is told, and measuring goes on
            say({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main(sys.argv[1])
