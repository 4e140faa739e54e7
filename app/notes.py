"""What the engine notes on a request or a model, and the program on an answer, in English: a part of `app.words`."""


def QT_TRANSLATE_NOOP(context: str, sentence: str) -> str:
    return sentence


NOTES: dict[str, str] = {
    "no_cuda": QT_TRANSLATE_NOOP("words", "No NVIDIA graphics card was found, so the model runs on the processor."),
    "runtime_fallback": QT_TRANSLATE_NOOP(
        "words",
        "The runtime {runtime} cannot be used, so the one that came with Longread is. Install it again or choose "
        "another: longread runtime list.",
    ),
    "runtime_no_card": QT_TRANSLATE_NOOP(
        "words",
        "The runtime {runtime} is for NVIDIA cards and finds none it can use, so the model runs on the processor. Is "
        "the card's driver installed?",
    ),
    "fp16_runs_as": QT_TRANSLATE_NOOP(
        "words", "The model is stored in fp16, which is slow on a processor; it runs in {precision}."
    ),
    "bf16_slow_here": QT_TRANSLATE_NOOP("words", "This processor has no instructions for bf16; fp32 is faster here."),
    "four_bits_kept": QT_TRANSLATE_NOOP(
        "words",
        "The model's file has weights of 4 bits, and int8 keeps them: rounded again they would lose and take more.",
    ),
    "kernel_failed": QT_TRANSLATE_NOOP(
        "words", "{operation} was wrong on {device} and runs in its slower, plain form there ({reason})."
    ),
    "product_dropped": QT_TRANSLATE_NOOP("words", "The product “{product}” is not used for writing: {reason}."),
    "int8_not_faster": QT_TRANSLATE_NOOP(
        "words", "On this computer int8 saves memory, not time: bf16 writes at least as fast."
    ),
    "int4_not_faster": QT_TRANSLATE_NOOP(
        "words", "On this computer int4 saves memory, not time: bf16 writes at least as fast."
    ),
    "window_native": QT_TRANSLATE_NOOP(
        "words", "{asked} tokens were asked for; the model was made for {window}, which is what it gets."
    ),
    "window_memory": QT_TRANSLATE_NOOP(
        "words", "The memory that is free holds a window of {window} tokens; the model was made for {native}."
    ),
    "window_extended": QT_TRANSLATE_NOOP(
        "words", "{asked} tokens were asked for; stretched as far as it goes, the model holds {window}."
    ),
    "extended": QT_TRANSLATE_NOOP(
        "words",
        "The model was made for {native} tokens and is stretched {factor} times, to {window} ({method}). Its answers "
        "are less good than usual, about short texts too.",
    ),
    "not_extended_scaled": QT_TRANSLATE_NOOP(
        "words", "This model comes stretched already ({kind}), so it is not stretched again: its window stays {native}."
    ),
    "not_extended_sliding": QT_TRANSLATE_NOOP(
        "words", "A model whose attention slides over the text cannot be stretched: its window stays {native}."
    ),
    "not_extended_hybrid": QT_TRANSLATE_NOOP(
        "words",
        "This model has positions in those layers alone that see only what is near, so there is nothing to stretch: "
        "its window goes as far as the memory.",
    ),
    "window_reach": QT_TRANSLATE_NOOP(
        "words",
        "The model was trained on {native} tokens; of its kind it is known that they read on to {window} with little "
        "loss.",
    ),
    "whole_only": QT_TRANSLATE_NOOP(
        "words",
        "This model was made for long texts and read yours whole, at once: segments and parts are for models that "
        "cannot.",
    ),
    "read_parallel": QT_TRANSLATE_NOOP(
        "words",
        "The text is {tokens} tokens and the window holds {window}. It was read in full, in {segments} segments, each "
        "by itself; an answer sees the few that suit the question best.",
    ),
    "kv_int8": QT_TRANSLATE_NOOP(
        "words", "What was read is held as int8: in full precision it would not fit into the memory that is free."
    ),
    "selection_not_saved": QT_TRANSLATE_NOOP(
        "words",
        "What was read is not kept on disk: with a selection it is an approximation. After a restart it is read again.",
    ),
    "not_saved_full": QT_TRANSLATE_NOOP(
        "words",
        "What was read is not kept on disk: it takes {needed}, and all readings together may take {quota}. After a "
        "restart it is read again. Allow more in the settings.",
    ),
    "not_saved_disk": QT_TRANSLATE_NOOP(
        "words", "What was read is not kept: the disk is full. After a restart it is read again. Make room on the disk."
    ),
    "not_saved": QT_TRANSLATE_NOOP(
        "words",
        "What was read is not kept: the folder for readings cannot be written. After a restart it is read again. Check "
        "the permissions of that folder.",
    ),
    "not_saved_pruned": QT_TRANSLATE_NOOP(
        "words", "What was read is not kept on disk, since parts of it were forgotten by the policy that you chose."
    ),
    "reading_damaged": QT_TRANSLATE_NOOP(
        "words", "Of what was kept on disk {segments} segments were damaged; they were read again, and nothing is lost."
    ),
    "reading_int8": QT_TRANSLATE_NOOP(
        "words", "What was kept on disk in full precision was taken into memory as int8, so that it fits."
    ),
    "history_long": QT_TRANSLATE_NOOP(
        "words",
        "The conversation has grown long and left room for {kept} segments only. A new conversation sees more of the "
        "text.",
    ),
    "asked_some": QT_TRANSLATE_NOOP(
        "words",
        "As you chose, the question was put to {asked} of {segments} segments, by a first look. What stands in the "
        "others alone was not seen.",
    ),
    "only_read": QT_TRANSLATE_NOOP(
        "words", "Answered from what had been read by then, as you asked; the rest was not read."
    ),
    "forgotten_document": QT_TRANSLATE_NOOP(
        "words", "A document of this conversation was deleted for good; the answer was written without it."
    ),
}
"""By `Note.code` of the engine, and notes of the program itself on an answer."""

ADVICE: dict[str, str] = {
    "window": QT_TRANSLATE_NOOP("words", "A window of {window} tokens would fit."),
    "int8": QT_TRANSLATE_NOOP("words", "With INT8 weights, a window of {window} would fit."),
    "int4": QT_TRANSLATE_NOOP("words", "With INT4 weights, which are less exact, a window of {window} would fit."),
    "kv": QT_TRANSLATE_NOOP("words", "With keys and values as INT8 as well, a window of {window} would fit."),
}
"""By `Advice.change` of the planner: what would fit where the settings do not, the least harmful first."""

IN_BYTES = frozenset({"not_saved_full"})
"""Notes whose numbers are bytes, to be shown as sizes; those of all others are counts."""
