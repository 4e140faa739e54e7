"""Rounding to groups: to the nearest, and by what the inputs are like, against the plain form of GPTQ."""

import pytest
import torch

from engine.weights import rounding


def inputs(columns, rows=400):
    """As a model's: some go together, some are large, one is never there."""
    random = torch.Generator().manual_seed(columns)
    x = torch.randn(rows, columns, generator=random) @ torch.randn(columns, columns, generator=random) * 0.1
    x[:, ::17] *= 8
    x[:, 3] = 0
    return x


def weight(rows, columns):
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(rows)) * 0.05


def plainly(weight, hessian, bits, group, symmetric):
    """GPTQ as the paper writes it: after each column the inverse Hessian of the remaining ones is taken anew."""
    weight = weight.double().clone()
    damped = hessian.double().clone()
    damped.diagonal()[damped.diagonal() == 0] = 1
    damped += torch.eye(len(damped)).double() * rounding.DAMPING * damped.diagonal().mean()
    out = torch.empty_like(weight)
    for column in range(weight.shape[1]):
        if column % group == 0:
            scale, zero = rounding.grid(weight[:, column : column + group].float(), bits, symmetric)
        step = (weight[:, column] / scale[:, 0] + zero[:, 0]).round().clamp(0, (1 << bits) - 1)
        out[:, column] = (step - zero[:, 0]) * scale[:, 0]
        inverse = torch.linalg.inv(damped[column:, column:])
        error = (weight[:, column] - out[:, column]) / inverse[0, 0]
        weight[:, column + 1 :] -= error[:, None] * inverse[0, 1:]
    return out.float()


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize(("columns", "group"), [(96, 32), (192, 64)])
def test_by_inputs_is_gptq(columns, group, symmetric):
    x, w = inputs(columns), weight(20, columns)
    hessian = x.T @ x
    expected = plainly(w, hessian, 4, group, symmetric)
    made = rounding.by_inputs(w, rounding.factor(hessian.clone()), 4, group, symmetric).dequantized()
    # A number at the middle of two steps may go either way; what comes after follows it
    assert (made - expected).norm() < 0.05 * expected.norm()
    wrong = [rounding.squares(w - each, hessian) for each in (made, expected)]
    assert wrong[0] == pytest.approx(wrong[1], rel=0.1)


@pytest.mark.parametrize("symmetric", [False, True])
def test_some_rows_are_rounded_as_all_are(symmetric):
    x, w = inputs(192), weight(40, 192)
    how = rounding.factor(x.T @ x), 4, 64, symmetric
    whole = rounding.by_inputs(w, *how)
    parts = [rounding.by_inputs(w[own], *how) for own in (slice(16), slice(16, None))]
    for of_all, of_some in zip(whole, zip(*parts, strict=True), strict=True):
        assert torch.equal(of_all, torch.cat(of_some))


def test_the_factor_of_inputs_that_depend_on_each_other():
    x = inputs(64, 10)  # ten of them cannot go sixty-four ways
    hessian = x.T @ x
    mean = torch.where(hessian.diagonal() == 0, 1, hessian.diagonal()).mean()
    damped = hessian + torch.diag((hessian.diagonal() == 0) + rounding.DAMPING * mean)
    factor = rounding.factor(hessian)
    assert torch.equal(factor, factor.triu())
    assert torch.allclose(factor.T @ factor @ damped, torch.eye(64), atol=1e-3)
    assert hessian.numel() == 0, "it is not kept beside what was made of it"


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("symmetric", [False, True])
def test_by_inputs_errs_less_on_other_inputs(bits, symmetric):
    x, w = inputs(256, 2000), weight(40, 256)
    seen, unseen = x[:1500], x[1500:]
    made = rounding.by_inputs(w, rounding.factor(seen.T @ seen), bits, 64, symmetric)
    near = rounding.nearest(w, bits, 64, symmetric)
    errors = [rounding.squares(w - each.dequantized(), unseen.T @ unseen) for each in (made, near)]
    assert errors[0] < 0.81 * errors[1]
    outputs = unseen @ (w - near.dequantized()).T
    assert errors[1] == pytest.approx(outputs.square().sum().item(), rel=1e-3)
    for each in (made, near):
        assert 0 < each.zeros.min() <= each.zeros.max() < 1 << bits
        assert each.steps.max().item() < 1 << bits
