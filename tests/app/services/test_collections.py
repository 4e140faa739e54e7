"""Matters hold items of the library, several may hold the same one, and none takes an item with it when it goes."""

import pytest

from app.services.collections import Collections
from app.services.problem import Problem


@pytest.fixture
def collections(database) -> Collections:
    return Collections(database)


async def test_an_item_may_be_in_several_matters_and_is_counted_in_each(collections, add):
    lease, plan = await add("lease"), await add("plan", "b.pdf")
    smith, jones = collections.new("Smith v. Jones"), collections.new("Jones")
    assert collections.put(smith.id, [lease.id, plan.id, lease.id]) == (lease.id, plan.id)
    assert collections.put(jones.id, [lease.id]) == (lease.id,)
    assert collections.put(smith.id, [lease.id]) == ()
    assert [(matter.name, set(matter.items)) for matter in collections.all()] == [
        ("Jones", {lease.id}),
        ("Smith v. Jones", {lease.id, plan.id}),
    ]
    assert [matter.name for matter in collections.of(lease.id)] == ["Jones", "Smith v. Jones"]
    assert collections.take(smith.id, [lease.id, "unknown"]) == (lease.id,)
    assert [matter.name for matter in collections.of(lease.id)] == ["Jones"]


async def test_removing_a_matter_leaves_its_items_and_can_be_undone(collections, library, add):
    item = await add("lease")
    matter = collections.new("Smith")
    collections.put(matter.id, [item.id])
    collections.remove(matter.id)
    assert collections.all() == []
    assert library.items() == [item]
    collections.restore(matter.id)
    assert collections.all()[0].items == (item.id,)
    collections.forget(matter.id)
    assert library.items() == [item]
    with pytest.raises(KeyError):
        collections.get(matter.id)


async def test_a_removed_item_is_not_counted_and_a_forgotten_one_leaves(collections, library, add, database):
    item = await add("lease")
    matter = collections.new("Smith")
    collections.put(matter.id, [item.id])
    library.remove(item.id)
    assert collections.get(matter.id).items == ()
    library.restore(item.id)
    assert collections.get(matter.id).items == (item.id,)
    library.forget(item.id)
    assert not database.rows("SELECT 1 FROM held")
    assert collections.put(matter.id, [item.id]) == ()


def test_names_are_tidied_and_taken_once(collections):
    made = collections.new("  Smith \n v. Jones ")
    assert made.name == "Smith v. Jones"
    assert collections.named("SMITH v. jones") == made
    with pytest.raises(Problem, match="matter_exists"):
        collections.new("smith V.  Jones")
    with pytest.raises(Problem, match="matter_unnamed"):
        collections.rename(made.id, " \t")
    with pytest.raises(Problem, match="matter_long"):
        collections.new("x" * 201)
    collections.rename(made.id, "Smith V. Jones")
    assert collections.get(made.id).name == "Smith V. Jones"
    with pytest.raises(KeyError):
        collections.rename("unknown", "Other")


def test_a_matter_comes_back_under_a_free_name(collections):
    old = collections.new("Smith")
    collections.remove(old.id)
    collections.new("Smith")
    collections.restore(old.id)
    assert collections.get(old.id).name == "Smith (2)"


async def test_a_newer_version_takes_the_place_of_the_older_one(collections, add):
    old, new = await add("one"), await add("two", "b.pdf")
    first, second = collections.new("A"), collections.new("B")
    for matter in (first, second):
        collections.put(matter.id, [old.id])
    collections.put(second.id, [new.id])
    assert set(collections.exchange(old.id, new.id)) == {first.id, second.id}
    assert [matter.items for matter in collections.all()] == [(new.id,), (new.id,)]
    assert collections.exchange(old.id, new.id) == ()
