"""What this machine has and is using. Bytes throughout; on a CPU the device's memory is the machine's RAM."""

import functools
import platform
from pathlib import Path

import psutil
import torch

from engine.protocol import Device, DeviceInfo, MemoryParts, Precision

CGROUP = Path("/sys/fs/cgroup")


def devices() -> tuple[DeviceInfo, ...]:
    """All devices that models run on, best first; the CPU is always there and last."""
    found = [_cuda(index) for index in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    return (*found, _cpu())


def choose(wanted: Device) -> DeviceInfo:
    """The best device of the wanted kind, and the CPU where there is none."""
    known = devices()
    return next((info for info in known if info.kind == wanted or wanted == "auto"), known[-1])


def torch_device(info: DeviceInfo) -> torch.device:
    return torch.device(info.kind)


def resolve(precision: Precision, info: DeviceInfo) -> Precision:
    """`auto` is what runs best on the device."""
    return info.precisions[0] if precision == "auto" else precision


def activation_dtype(precision: Precision, info: DeviceInfo) -> torch.dtype:
    """Of activations, keys and values. int8 and int4 are precisions of weights alone."""
    precision = resolve(precision, info)
    if precision in ("int8", "int4"):
        return torch.bfloat16 if "bf16" in info.precisions else torch.float32
    return torch.bfloat16 if precision == "bf16" else torch.float32


def memory_parts(info: DeviceInfo, *, weights: int, kv: int, state: int) -> MemoryParts:
    """Now: what is neither ours nor free is `other`."""
    total, free = _memory(info)
    other = max(0, total - free - weights - kv - state)
    return MemoryParts(total=total, weights=weights, kv=kv, state=state, other=other, free=free)


def process_bytes() -> int:
    """Resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


def _memory(info: DeviceInfo) -> tuple[int, int]:
    """Total and free."""
    if info.kind == "cuda":
        free, total = torch.cuda.mem_get_info()
        # What torch keeps for itself and has not given out is ours to use
        return total, free + torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
    memory = psutil.virtual_memory()
    limit, used = _limit()
    return min(memory.total, limit), max(0, min(memory.available, limit - used))


def _limit() -> tuple[int, int]:
    """What a container allows this process, and what is used of it: containers show the whole machine's RAM."""
    try:
        limit = int((CGROUP / "memory.max").read_text())
        used = int((CGROUP / "memory.current").read_text())
        fields = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):  # no cgroups of version 2, or "max"
        return 1 << 62, 0
    return limit, used - int(fields.get("inactive_file", 0))


def _cpu() -> DeviceInfo:
    info = DeviceInfo("cpu", _cpu_name(), 0, 0, _cpu_precisions())
    total, free = _memory(info)
    return DeviceInfo("cpu", info.name, total, free, info.precisions)


@functools.cache
def _cpu_precisions() -> tuple[Precision, ...]:
    """Without instructions for bf16 its products run at a fraction of fp32's speed; fp16 is slow on every CPU."""
    # torch asks the processor itself (CPUID), on Linux and Windows alike
    abilities = torch.cpu.get_capabilities()
    if abilities.get("avx512_bf16") or abilities.get("amx_bf16") or abilities.get("amx_tile") or abilities.get("bf16"):
        return ("bf16", "int8", "int4", "fp32")
    return ("fp32", "int8", "int4")


@functools.cache
def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine() or "CPU"


def _cuda(index: int) -> DeviceInfo:
    properties = torch.cuda.get_device_properties(index)
    free, total = torch.cuda.mem_get_info(index)
    # Ampere (8.0) is the first with bf16 in its tensor cores
    precisions: tuple[Precision, ...] = (
        ("bf16", "int8", "int4", "fp32") if properties.major >= 8 else ("fp32", "int8", "int4")
    )
    return DeviceInfo("cuda", properties.name, total, free, precisions)
