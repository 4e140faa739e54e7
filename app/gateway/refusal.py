"""A request that is not served, in the words that its client is told."""


class Refusal(Exception):
    """`status` of HTTP; `code` and `param` as OpenAI's protocol has them."""

    def __init__(self, status: int, message: str, *, code: str | None = None, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.param = param
