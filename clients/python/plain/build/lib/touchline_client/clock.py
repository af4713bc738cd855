"""Clock synchronisation by exchanged time stamps: the round with the smallest delay wins."""

from typing import NamedTuple, Optional


class ClockEstimate(NamedTuple):
    """What a round says, in microseconds."""

    #: The client's clock minus the server's; wrong by half the delay at most.
    offset_us: int
    #: The time on the wire, both ways together.
    delay_us: int


class ClockSync:
    """Collects rounds and keeps the best."""

    def __init__(self) -> None:
        self.best: Optional[ClockEstimate] = None

    def add(self, t0_us: int, t1_us: int, t2_us: int, t3_us: int) -> None:
        """Adds a round: sent, received by the server, answered by the server, received."""
        delay = (t3_us - t0_us) - (t2_us - t1_us)
        if t3_us < t0_us or t2_us < t1_us or delay < 0:
            return
        if self.best is None or delay < self.best.delay_us:
            offset = ((t0_us - t1_us) + (t3_us - t2_us)) // 2
            self.best = ClockEstimate(offset, delay)
