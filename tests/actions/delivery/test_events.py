"""The event stream: in order, resumed exactly, and honest when something was lost."""

from __future__ import annotations

import asyncio
import json

from actions.delivery.events import EventHub


async def take(subscription, count):
    found = []
    async for line in subscription.lines():
        found.append(json.loads(line))
        if len(found) == count:
            return found
    return found


async def test_events_come_in_order_after_the_hello():
    hub = EventHub()
    subscription = hub.subscribe()
    for n in range(3):
        hub.publish("x", {"n": n})
    found = await take(subscription, 4)
    assert found[0] == {"type": "hello", "epoch": hub.epoch, "seq": 0}
    assert [(e["seq"], e["data"]["n"]) for e in found[1:]] == [(1, 0), (2, 1), (3, 2)]


async def test_a_client_that_comes_back_gets_exactly_what_it_missed():
    hub = EventHub()
    for n in range(5):
        hub.publish("x", {"n": n})
    found = await take(hub.subscribe(after=2, epoch=hub.epoch), 4)
    assert [e.get("seq") for e in found] == [2, 3, 4, 5]
    assert "reset" not in [e["type"] for e in found]


async def test_a_client_that_missed_nothing_gets_nothing():
    hub = EventHub()
    hub.publish("x", {})
    subscription = hub.subscribe(after=1, epoch=hub.epoch)
    subscription.close()
    assert [e["type"] for e in await take(subscription, 10)] == ["hello"]


async def test_another_epoch_or_too_long_away_is_a_reset():
    hub = EventHub(keep_events=3)
    for n in range(10):
        hub.publish("x", {"n": n})
    for after, epoch in ((1, hub.epoch), (9, "another"), (99, hub.epoch)):
        subscription = hub.subscribe(after=after, epoch=epoch)
        subscription.close()
        found = await take(subscription, 10)
        assert [e["type"] for e in found] == ["hello", "reset"], (after, epoch)
        assert found[-1]["seq"] == 10


async def test_a_slow_client_is_told_that_it_lost_something():
    hub = EventHub(keep_events=3)
    subscription = hub.subscribe()
    for n in range(10):
        hub.publish("x", {"n": n})
    subscription.close()
    assert [e["type"] for e in await take(subscription, 10)] == ["hello", "reset"]


async def test_the_tail_is_bounded_in_bytes():
    hub = EventHub(keep_bytes=1000)
    for _ in range(100):
        hub.publish("x", {"text": "y" * 300})
    assert hub.oldest > 95


async def test_an_event_for_one_window_reaches_no_other():
    hub = EventHub()
    first, second = hub.subscribe(), hub.subscribe()
    hub.publish("client_call", {}, only=second.number)
    hub.publish("x", {})
    hub.close()
    assert [e["type"] for e in await take(first, 10)] == ["hello", "x"]
    assert [e["type"] for e in await take(second, 10)] == ["hello", "client_call", "x"]


async def test_a_waiting_client_is_woken_and_closing_ends_the_stream():
    hub = EventHub()
    subscription = hub.subscribe()
    reader = asyncio.ensure_future(take(subscription, 100))
    await asyncio.sleep(0.01)
    hub.publish("x", {})
    await asyncio.sleep(0.01)
    hub.close()
    async with asyncio.timeout(30):
        assert [e["type"] for e in await reader] == ["hello", "x"]
    assert hub.subscribers == ()
