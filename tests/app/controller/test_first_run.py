"""The first page: the machine is looked at by itself, also where no model is there that would be loaded."""

from app.controller.models import ModelController


async def test_the_machine_is_told_once_the_model_is_loaded(program):
    page = program.controller.welcome.first_run
    program.controller.models.show_first_run()
    assert "no GPU in use" in page.machine.text()


async def test_the_machine_is_told_also_where_no_model_is(program, monkeypatch):
    page = program.controller.welcome.first_run
    monkeypatch.setattr(ModelController, "missing", lambda self: True)
    program.state.set_loaded(None)
    page.machine.setText("Looking…")
    await program.controller._start_engine()
    assert not page.isHidden()
    assert "no GPU in use" in page.machine.text()
    assert program.state.loaded is None
