from desktop.safety import SafeAnswer


class _Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_has_just_come_up_cannot_be_answered() -> None:
    clock = _Clock()
    guard = SafeAnswer(0.4, clock)
    guard.show("a")
    clock.now += 0.39
    assert not guard.take("a")
    clock.now += 0.02
    assert guard.take("a")


def test_one_answer_a_request() -> None:
    clock = _Clock()
    guard = SafeAnswer(0.4, clock)
    guard.show("a")
    clock.now += 1
    assert [guard.take("a"), guard.take("a")] == [True, False]
    guard.give_back("a")
    assert guard.take("a")


def test_a_request_that_replaces_another_starts_its_own_time() -> None:
    clock = _Clock()
    guard = SafeAnswer(0.4, clock)
    guard.show("a")
    clock.now += 1
    guard.show("b")
    assert not guard.take("b")
    assert not guard.take("a")
    guard.show("b")  # shown again: the time goes on
    clock.now += 0.5
    guard.show("b")
    assert guard.take("b")
