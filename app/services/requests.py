"""What the settings mean for a request of the engine."""

from pathlib import Path

from app.data import policies
from app.data.settings import Settings
from engine.protocol import ModelSettings, ReadingSettings, Sampling, Selection


def model_settings(settings: Settings, model: Path) -> ModelSettings:
    """`model`: the folder or file that `settings.model` names."""
    return ModelSettings(
        model=str(model),
        precision=settings.precision,
        window=settings.window,
        device=settings.device,
        threads=settings.threads,
        piece=settings.piece,
        extension=settings.extension,
        kv="int8" if settings.kv == "int8" else "model",
        memory=settings.memory_share,
        sparse=settings.sparse_kernel,
        linear=settings.linear_kernel,
    )


def sampling(settings: Settings, seed: int | None) -> Sampling:
    return Sampling(temperature=settings.temperature, max_tokens=settings.max_tokens, seed=seed)


def reading_settings(
    settings: Settings, *, coverage: bool = False, part_question: str | None = None
) -> ReadingSettings:
    """`coverage` and `part_question` belong to one question; everything else is as the settings say."""
    return ReadingSettings(
        mode=settings.reading_mode,
        segment=settings.segment,
        overlap=settings.overlap,
        join=settings.join,
        keep=settings.keep,
        asked=settings.asked,
        budget=settings.kept_rows,
        calibrate=settings.calibrate,
        kv=settings.kv,
        coverage=coverage,
        part=settings.part,
        part_question=part_question or None,
        save=settings.save_readings,
        folder=readings_folder(settings),
        selection=Selection(settings.selection),
        quota=settings.readings_quota,
        eviction=policies.asked(settings),
    )


def reading_elsewhere(*, coverage: bool = False, part_question: str | None = None) -> ReadingSettings:
    """Of a server, which reads as it does: of the settings nothing applies to it."""
    return ReadingSettings(mode="whole", coverage=coverage, part_question=part_question or None)


def readings_folder(settings: Settings) -> str | None:
    """Where readings are kept, absolute; None: in the data folder."""
    chosen = settings.readings_folder.strip()
    return str(Path(chosen).expanduser().absolute()) if chosen else None
