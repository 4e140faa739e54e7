"""A download in a thread of its own."""

import asyncio
import threading

import pytest

from app.services.downloads.job import Job, in_thread


async def test_nothing_is_heard_after_a_stop(heard):
    began, go_on, said = threading.Event(), threading.Event(), threading.Event()

    def work(job: Job) -> None:
        began.set()
        go_on.wait()
        job.say("running")
        said.set()

    task = asyncio.create_task(in_thread("one", 1, heard, work))
    await asyncio.to_thread(began.wait)
    task.cancel()
    go_on.set()
    said.wait()  # the report waits behind the stop for its turn in this thread
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert [download.state for download in heard] == ["paused"]
