"""What a service could not do: a code of `app.words.PROBLEMS` and the values of its sentence."""


class Problem(Exception):
    """`str()` is the code alone, so that a log never holds a file's name; `values` are for the person."""

    def __init__(self, code: str, **values: str) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class DatabaseProblem(Problem):
    """The database could not be used: damaged, newer than this program, in use for too long, or the disk is full."""


class NewerDatabase(DatabaseProblem):
    """The database was written by a newer Longread. It was left as it is."""


class DamagedDatabase(DatabaseProblem):
    """The file is no database, or a part of it cannot be read. It was left as it is."""


class ModelMissing(Problem):
    """The model is not on this computer, or its name is not known."""


class DownloadFailed(Problem):
    """A download ended without its file. What came so far is kept and carried on with the next time."""
