"""What Prometheus may ask a service: requests, how long they took, open streams, and how far the log goes."""

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from shared.log.store import Head
from shared.values import Value

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class MetricReading(Value):
    """A number as it is when somebody asks."""

    name: str
    says: str
    value: float
    labels: Mapping[str, str] = {}


class Metrics:
    """One registry for each app, so that two in one process do not add up."""

    def __init__(self, streams: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "roundlog_requests", "Requests answered.", ("operation", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "roundlog_request_seconds",
            "From request to answer.",
            ("operation",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._position = Gauge("roundlog_log_position", "The last position of the log.", registry=self.registry)
        self._public = Gauge("roundlog_log_public", "The last public number of the log.", registry=self.registry)
        open_streams = Gauge("roundlog_streams", "Streams that callers listen to now.", registry=self.registry)
        open_streams.set_function(streams)
        self._counters: dict[tuple[str, int], Counter] = {}
        self._histograms: dict[str, Histogram] = {}
        self._gauges: dict[str, Gauge] = {}

    def count(self, operation: str, status: int, seconds: float) -> None:
        if (counter := self._counters.get((operation, status))) is None:
            counter = self._counters[operation, status] = self._requests.labels(operation, str(status))
        if (histogram := self._histograms.get(operation)) is None:
            histogram = self._histograms[operation] = self._seconds.labels(operation)
        counter.inc()
        histogram.observe(seconds)

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
