"""What Prometheus may ask a service: requests, how long they took, open streams, and how far the log goes."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import accumulate
from typing import override

from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from shared.log.store import Head
from shared.values import Value

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
BOUNDS = (*map(str, SECONDS), "+Inf")


class Requests(Collector):
    """Counted in plain numbers, since every request is; what Prometheus asks for is made of them when it asks."""

    def __init__(self) -> None:
        self._answered: Counter[tuple[str, int]] = Counter()
        self._within: dict[str, list[int]] = {}  # by operation, those that took up to each number of seconds, or longer
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, operation: str, status: int, seconds: float) -> None:
        self._answered[operation, status] += 1
        if (within := self._within.get(operation)) is None:
            within = self._within[operation] = [0] * (len(SECONDS) + 1)
        within[bisect_left(SECONDS, seconds)] += 1
        self._seconds[operation] += seconds

    @override
    def collect(self) -> Iterator[Metric]:
        answered = CounterMetricFamily("roundlog_requests", "Requests answered.", labels=("operation", "status"))
        for (operation, status), number in self._answered.items():
            answered.add_metric((operation, str(status)), number)
        yield answered
        took = HistogramMetricFamily("roundlog_request_seconds", "From request to answer.", labels=("operation",))
        for operation, within in self._within.items():
            took.add_metric(
                (operation,), list(zip(BOUNDS, accumulate(within), strict=True)), sum_value=self._seconds[operation]
            )
        yield took


class MetricReading(Value):
    """A number as it is when somebody asks."""

    name: str
    says: str
    value: float
    labels: Mapping[str, str] = {}


class Metrics:
    """One registry for each app, so that two in one process do not add up."""

    def __init__(self, streams: Callable[[], int], *, service: str) -> None:
        self.registry = CollectorRegistry()
        says = "Which service this is, and of which version."
        program = Gauge("roundlog_program", says, ("service", "version"), registry=self.registry)
        program.labels(service, version("roundlog")).set(1)
        requests = Requests()
        self.registry.register(requests)
        self.count = requests.count
        self._position = Gauge("roundlog_log_position", "The last position of the log.", registry=self.registry)
        self._public = Gauge("roundlog_log_public", "The last public number of the log.", registry=self.registry)
        open_streams = Gauge("roundlog_streams", "Streams that callers listen to now.", registry=self.registry)
        open_streams.set_function(streams)
        self._gauges: dict[str, Gauge] = {}

    def show(self, head: Head | None, readings: Iterable[MetricReading] = ()) -> bytes:
        """Without a head when the log does not answer: what was last known is shown then."""
        for reading in readings:
            if (gauge := self._gauges.get(reading.name)) is None:
                gauge = Gauge(reading.name, reading.says, tuple(reading.labels), registry=self.registry)
                self._gauges[reading.name] = gauge
            (gauge.labels(**reading.labels) if reading.labels else gauge).set(reading.value)
        if head is not None:
            self._position.set(head.position)
            self._public.set(head.public)
        return generate_latest(self.registry)
