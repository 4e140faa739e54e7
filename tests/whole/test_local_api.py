"""The local API of the real window, with the real engine: what its page tells a program to do is done, as it stands."""

import threading
from pathlib import Path

import openai
from msgspec.structs import replace

FERRY = "The ferry to the island leaves at a quarter past nine from the northern pier.\n"


class Running(threading.Thread):
    """Runs what the page told; `printed` or `error` in the end."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code = code
        self.printed: list[str] = []
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            exec(compile(self._code, "snippet", "exec"), {"print": self.printed.append})
        except openai.OpenAIError as error:
            self.error = error


async def test_a_program_asks_about_a_document_as_the_page_tells_it(program, until, tmp_path: Path):
    note = tmp_path / "note.txt"
    note.write_text(FERRY * 3)
    await program.services.library.add(note)
    controller, settings = program.controller, program.controller.settings
    settings.apply(replace(program.state.settings, api_port=0, max_tokens=24))
    page = controller.gateway.page
    page.show()
    page.state.button.click()
    await until(lambda: controller.gateway.served.state == "on", what="the API")
    page.keys.new_button.click()
    controller.keys.dialog.name.setText("A program")
    controller.keys.dialog.make_button.click()
    controller.keys.dialog.close_button.click()
    told = page.snippets.text.toPlainText()
    code = told.replace("# extra_body", "extra_body").replace("lease.pdf", "note.txt")
    asking = Running(code.replace("What does the document say about rent?", "When does the ferry leave?"))
    asking.start()
    await until(lambda: not asking.is_alive(), what="the answer")
    assert asking.error is None
    assert "quarter past nine" in asking.printed[0]
    row = page.keys.row("A program")
    await until(lambda: "1 request" in row.done.text(), what="the key's use")
    (key,) = program.services.keys.all()
    assert key.prompt > 50
    assert key.today == key.prompt + key.written
    page.state.button.click()
    await until(lambda: controller.gateway.served.state == "off", what="the end of the API")
    refused = Running(told)
    refused.start()
    await until(lambda: not refused.is_alive(), what="the refusal")
    assert isinstance(refused.error, openai.APIConnectionError)
    page.close()
