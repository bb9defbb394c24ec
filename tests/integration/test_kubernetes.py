"""deploy/kubernetes as far as it can be held without a cluster: its forms, what its parts say of one another, and its broker."""

# nats-py annotates its functions in parts only.
import asyncio
import json
import os
import re
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import kubernetes_validate
import pytest
import yaml
from pydantic import AliasChoices
from pydantic.fields import FieldInfo

from deploy import SERVICES, accounts
from deploy.databases import CONNECTIONS
from deploy.local import binaries, ports, postgres
from deploy.serve import DRAIN_SECONDS
from services.registration.signing import read_or_make
from shared.messaging import subjects
from shared.messaging.broker import Broker, Post
from shared.observability.metrics import Metrics
from shared.refusals import Unavailable
from shared.settings import ServiceSettings
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/kubernetes"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
WHOLE: dict[str, Any] = yaml.safe_load((ROOT / "deploy/kustomization.yaml").read_text())
OF_OPERATORS = {"postgresql.cnpg.io", "barmancloud.cnpg.io"}  # whose forms are not those of Kubernetes itself
NAME = "app.kubernetes.io/name"
BROKERS = ("nats-0", "nats-1", "nats-2")
STREAM, READER = subjects.stream("results"), subjects.reader("standings")

type Thing = dict[str, Any]


def listed() -> list[Path]:
    told = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    assert told["namespace"] == WHOLE["namespace"] == "roundlog"
    return [FOLDER / file for file in told["resources"]]


THINGS: list[Thing] = [thing for file in listed() for thing in yaml.safe_load_all(file.read_text())]


def of(*kinds: str) -> list[Thing]:
    return [thing for thing in THINGS if thing["kind"] in kinds]


def named(kind: str, name: str) -> Thing:
    (found,) = [thing for thing in of(kind) if thing["metadata"]["name"] == name]
    return found


RUNNING = of("Deployment", "StatefulSet", "Job")
SERVING = [thing for thing in RUNNING if thing["spec"]["template"]["metadata"]["labels"][NAME] in SERVICES]


def pod(thing: Thing) -> Thing:
    found: Thing = thing["spec"]["template"]["spec"]
    return found


def container(thing: Thing) -> Thing:
    (found,) = pod(thing)["containers"]
    return found


def labels(thing: Thing) -> Mapping[str, str]:
    found: Mapping[str, str] = thing["spec"]["template"]["metadata"]["labels"]
    return found


def chosen(selector: Thing) -> list[Thing]:
    """What runs and has these labels."""
    wanted: Mapping[str, str] = selector.get("matchLabels", {})
    expressions: list[Thing] = selector.get("matchExpressions", [])
    among: Mapping[str, list[str]] = {said["key"]: said["values"] for said in expressions}
    return [
        thing
        for thing in RUNNING
        if wanted.items() <= labels(thing).items() and all(labels(thing).get(key) in among[key] for key in among)
    ]


def within(found: Any, key: str) -> Iterator[Any]:
    """Everything below that key, however deep."""
    if isinstance(found, dict):
        for name, value in cast("Thing", found).items():
            if name == key:
                yield value
            yield from within(value, key)
    elif isinstance(found, list):
        for value in cast("list[Any]", found):
            yield from within(value, key)


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, dict[str, str]]]:
    """The folder of secrets, and what would have been given to a cluster: keys and values by name."""
    folder = tmp_path_factory.mktemp("kubernetes")
    kubectl, said = folder / "bin/kubectl", folder / "said"
    kubectl.parent.mkdir()
    kubectl.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{said}\n')
    kubectl.chmod(0o755)
    path = f"{kubectl.parent}:{os.environ['PATH']}"
    for _ in range(2):  # the second time changes nothing
        said.unlink(missing_ok=True)
        script = ["/bin/sh", FOLDER / "secrets.sh", folder / "secrets"]
        subprocess.run(script, check=True, env={"PATH": path})  # noqa: S603 - our own
    secrets: dict[str, dict[str, str]] = {}
    for line in said.read_text().splitlines():
        if create := re.match(r"--namespace=roundlog create secret generic (\S+) (.*)", line):
            files = dict(re.findall(r"--from-file=(\S+?)=(\S+)", create[2]))
            literals = dict(re.findall(r"--from-literal=(\S+?)=(\S+)", create[2]))
            secrets[create[1]] = {key: Path(file).read_text() for key, file in files.items()} | literals
    return folder / "secrets", secrets


def test_every_object_has_the_form_that_kubernetes_wants() -> None:
    checked = 0
    for thing in THINGS:
        if thing["apiVersion"].partition("/")[0] not in OF_OPERATORS:
            kubernetes_validate.validate(thing, kubernetes_validate.latest_version(), strict=True)
            checked += 1
    assert checked == len(THINGS) - 3
    wrong = named("Service", "nats") | {"spec": {"ports": [{"prot": 1}]}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, kubernetes_validate.latest_version(), strict=True)


def test_every_file_is_used() -> None:
    generated = {ROOT / "deploy" / file for maps in WHOLE["configMapGenerator"] for file in maps.get("files", [])}
    beside = {FOLDER / "kustomization.yaml", FOLDER / "secrets.sh"}
    assert {file for file in FOLDER.iterdir() if file.is_file()} == (
        {*listed(), *beside} | {file for file in generated if file.parent == FOLDER}
    )
    assert all(file.is_file() for file in generated)
    assert WHOLE["resources"] == [FOLDER.name]


def test_each_selector_finds_what_it_is_for() -> None:
    for thing in RUNNING:
        if thing["kind"] != "Job":
            assert chosen(thing["spec"]["selector"]) == [thing]
        for spread in pod(thing).get("topologySpreadConstraints", []):
            assert thing in chosen(spread["labelSelector"])
    for service in of("Service"):
        behind = chosen({"matchLabels": service["spec"]["selector"]})
        assert behind, service["metadata"]["name"]
        for port in service["spec"]["ports"]:
            for thing in behind:
                assert {"name": port["targetPort"], "containerPort": port["port"]} in container(thing)["ports"]
    for policy in of("NetworkPolicy"):
        for selector in [policy["spec"]["podSelector"], *within(policy["spec"], "podSelector")]:
            assert selector.get("matchLabels") == {"cnpg.io/cluster": "database"} or chosen(selector)
    for stateful in of("StatefulSet"):
        assert named("Service", stateful["spec"]["serviceName"])
    (rule,) = named("Ingress", "roundlog")["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend["port"]["name"] in [port["name"] for port in named("Service", backend["name"])["spec"]["ports"]]


def test_budgets_and_autoscalers_are_of_what_they_are_named_like() -> None:
    for budget in of("PodDisruptionBudget"):
        found = {labels(thing)[NAME] for thing in chosen(budget["spec"]["selector"])}
        assert found == {budget["metadata"]["name"]}
    for scaled in of("HorizontalPodAutoscaler"):
        target = scaled["spec"]["scaleTargetRef"]
        assert "replicas" not in named(target["kind"], target["name"])["spec"], "two would say how many"
    deployed = {thing["metadata"]["name"] for thing in of("Deployment")}
    assert {scaled["spec"]["scaleTargetRef"]["name"] for scaled in of("HorizontalPodAutoscaler")} == deployed
    streams = yaml.safe_load((FOLDER / "streams/kustomization.yaml").read_text())
    (patch,) = streams["patches"]
    assert patch["target"]["name"].split("|") == list(SERVICES)
    (change,) = yaml.safe_load(patch["patch"])
    metric = change["value"]["pods"]["metric"]["name"]
    assert f"{metric} ".encode() in Metrics(lambda: 0, service="standings").show(None)
    for service in SERVICES:
        more = deepcopy(named("HorizontalPodAutoscaler", service))
        assert (change["op"], change["path"]) == ("add", "/spec/metrics/-")
        more["spec"]["metrics"].append(change["value"])
        kubernetes_validate.validate(more, kubernetes_validate.latest_version(), strict=True)


def test_only_the_services_reach_the_broker_by_the_accounts_that_it_knows_and_none_reaches_another() -> None:
    (to_nats, between) = named("NetworkPolicy", "nats")["spec"]["ingress"]
    (source,) = to_nats["from"]
    assert {labels(thing)[NAME] for thing in chosen(source["podSelector"])} == set(subjects.SOURCES) == set(SERVICES)
    assert [port["port"] for port in to_nats["ports"]] == [4222]
    assert [port["port"] for port in between["ports"]] == [6222]
    services = named("NetworkPolicy", "services")["spec"]
    assert {labels(thing)[NAME] for thing in chosen(services["podSelector"])} == set(SERVICES)
    for rule in services["egress"]:
        for target in rule["to"]:
            assert not {
                labels(thing)[NAME] for thing in chosen(target.get("podSelector", {"matchLabels": {"": ""}}))
            } & {
                *SERVICES,
                "proxy",
            }
    nobody = named("NetworkPolicy", "nobody")["spec"]
    assert nobody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def variables(field: str, said: FieldInfo) -> Sequence[str]:
    """By which a setting is told: one of ours, or those of OpenTelemetry."""
    alias = said.validation_alias
    return [f"{one}" for one in alias.choices] if isinstance(alias, AliasChoices) else [f"ROUNDLOG_{field.upper()}"]


def test_every_variable_is_one_that_is_read() -> None:
    known = {name for field, said in ServiceSettings.model_fields.items() for name in variables(field, said)}
    (settings,) = [maps for maps in WHOLE["configMapGenerator"] if maps["name"] == "settings"]
    literals = dict(line.split("=", 1) for line in settings["literals"])
    assert literals.keys() <= known
    for thing in SERVING:
        service = labels(thing)[NAME]
        told = {one["name"]: one["value"] for one in container(thing)["env"]}
        assert told.keys() <= known - literals.keys()
        assert container(thing)["envFrom"] == [{"configMapRef": {"name": "settings"}}]
        assert told["ROUNDLOG_DATABASE_URL"] == f"postgresql://roundlog_{service}@database-rw:5432/roundlog_{service}"
        assert told["ROUNDLOG_NATS_URL"] == f"nats://{service}@nats:4222"
        assert ("ROUNDLOG_SIGNING" in told) == (thing["kind"] == "StatefulSet"), "one signs for all"
        compose = COMPOSE["services"][service]["environment"].keys()
        assert compose - {"ROUNDLOG_SIGNING", "ROUNDLOG_ISSUER", "ROUNDLOG_AUDIENCE"} == (
            told.keys() | literals.keys()
        ) - {
            "ROUNDLOG_SIGNING",
            "ROUNDLOG_STREAM_COPIES",
        }
    caddyfile = (ROOT / "deploy/Caddyfile").read_text()
    for one in container(named("Deployment", "proxy"))["env"]:
        assert not one["name"].startswith("ROUNDLOG_") or f"{{${one['name']}:" in caddyfile
    migrate = {one["name"]: one["value"] for one in container(named("Job", "migrate"))["env"]}
    assert migrate.keys() == COMPOSE["services"]["migrate"]["environment"].keys()


def test_each_copy_understands_what_it_is_told(
    given: tuple[Path, Mapping[str, dict[str, str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its volumes in another folder, and what the settings say besides."""
    _, secrets = given
    (shared,) = [maps["literals"] for maps in WHOLE["configMapGenerator"] if maps["name"] == "settings"]
    for thing in SERVING:
        service, here = labels(thing)[NAME], tmp_path / thing["metadata"]["name"] / thing["kind"]
        volumes: list[Thing] = pod(thing)["volumes"]
        mounted = {volume["name"]: volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
        for mount in container(thing)["volumeMounts"]:
            place = here / mount["mountPath"].lstrip("/")
            place.mkdir(parents=True)
            for key, value in secrets.get(mounted.get(mount["name"], ""), {}).items():
                (place / key).write_text(value)
        with monkeypatch.context() as environment:
            for one in container(thing)["env"]:
                environment.setenv(one["name"], f"{here if one['value'].startswith('/') else ''}{one['value']}")
            for line in shared:
                environment.setenv(*line.split("=", 1))
            understood = ServiceSettings.from_environment()
        own = secrets[service]
        assert understood.database.startswith(f"postgresql://roundlog_{service}:{own['database']}@database-rw:5432/")
        assert understood.nats == f"nats://{service}:{own['nats']}@nats:4222"
        assert understood.stream_copies == len(BROKERS) == named("StatefulSet", "nats")["spec"]["replicas"]
        if understood.captain_key is not None:
            before = understood.captain_key.read_bytes()
            assert read_or_make(understood.captain_key)
            assert understood.captain_key.read_bytes() == before


def test_the_proxy_believes_those_in_front_that_it_is_told_of_and_nobody_else() -> None:
    for fronts, ranges in (("", None), ("10.244.0.0/16 fd00::/48", ["10.244.0.0/16", "fd00::/48"])):
        adapted = subprocess.run(  # noqa: S603 - our own
            [binaries.caddy(), "adapt", f"--config={ROOT / 'deploy/Caddyfile'}", "--adapter=caddyfile"],
            env={"HOME": "/nonexistent", "ROUNDLOG_FRONTS": fronts},
            check=True,
            capture_output=True,
        )
        (site,) = json.loads(adapted.stdout)["apps"]["http"]["servers"].values()
        assert site["trusted_proxies"].get("ranges") == ranges
        assert site["trusted_proxies_strict"] == 1


def test_one_copy_of_each_service_signs_in_a_folder_that_no_other_can_have() -> None:
    for service in SERVICES:
        signing = named("StatefulSet", f"{service}-signing")["spec"]
        assert signing["replicas"] == 1
        (claim,) = signing["volumeClaimTemplates"]
        assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
        mounts = {one["name"]: one["mountPath"] for one in signing["template"]["spec"]["containers"][0]["volumeMounts"]}
        told = {one["name"]: one["value"] for one in signing["template"]["spec"]["containers"][0]["env"]}
        assert Path(told["ROUNDLOG_SIGNING"]).parent == Path(mounts[claim["metadata"]["name"]])


def test_the_files_of_the_services_differ_in_their_names_alone() -> None:
    def common(service: str) -> str:
        lines = (FOLDER / f"{service}.yaml").read_text().replace(service, "…").splitlines()
        return "\n".join(line for line in lines if not re.search("(?i)captain|maxReplicas", line))

    assert len({common(service) for service in SERVICES}) == 1
    for thing in SERVING:
        captains = "captains" in str(thing)
        assert captains == (labels(thing)[NAME] == "registration")


def test_every_map_and_secret_that_is_mentioned_is_made(given: tuple[Path, Mapping[str, dict[str, str]]]) -> None:
    _, secrets = given
    maps = {
        made["name"]: [Path(file).name for file in made.get("files", [])]
        or [line.partition("=")[0] for line in made.get("literals", [])]
        for made in WHOLE["configMapGenerator"]
    }
    for thing in RUNNING:
        mounted = [*within(pod(thing)["volumes"], "secret")]
        for found in mounted:
            made = secrets[found.get("secretName") or found["name"]]
            assert {item["key"] for item in found.get("items", [])} <= made.keys()
        for found in [*within(pod(thing), "configMap"), *within(pod(thing), "configMapRef")]:
            assert found["name"] in maps
        for found in within(pod(thing), "configMapKeyRef"):
            assert found["key"] in maps[found["name"]]
    cluster = named("Cluster", "database")["spec"]
    assert secrets[cluster["superuserSecret"]["name"]].keys() == {"username", "password"}
    operations = (ROOT / "docs/operations.md").read_text()
    for asked in ("certificate", "object-storage"):  # yours: nobody else can make them
        assert re.search(rf"create secret \w+ {asked} ", operations), asked
    mentioned = {"administrator", "backup", "nats", "captains", *SERVICES}
    assert secrets.keys() == mentioned
    assert all(value for made in secrets.values() for value in made.values())
    (job,) = of("Job")
    paths = {item["path"] for found in within(pod(job), "items") for item in found}
    assert paths == {"postgres", "backup", *(f"{service}-database" for service in SERVICES)}
    for thing in SERVING:  # and each service has the files that it is told of
        told = {one["name"]: one["value"] for one in container(thing)["env"]}
        made = secrets[labels(thing)[NAME]]
        assert {Path(told[f"ROUNDLOG_{of}_FILE"]).name for of in ("DATABASE_PASSWORD", "NATS_PASSWORD")} == made.keys()


def test_the_server_is_set_as_on_one_machine() -> None:
    told = named("Cluster", "database")["spec"]["postgresql"]["parameters"]
    assert (postgres.EVERYWHERE | {"max_connections": told["max_connections"]}).items() <= told.items()


def test_the_database_has_connections_for_all_that_may_run() -> None:
    most = {one["spec"]["scaleTargetRef"]["name"]: one["spec"]["maxReplicas"] for one in of("HorizontalPodAutoscaler")}
    processes = 0
    for thing in SERVING:
        copies = thing["spec"].get("replicas") or most[thing["metadata"]["name"]]
        beside = thing["spec"].get("strategy", {}).get("rollingUpdate", {}).get("maxSurge", 0)
        processes += copies + beside
    told = named("Cluster", "database")["spec"]["postgresql"]["parameters"]
    assert int(told["max_connections"]) >= (processes + 1) * CONNECTIONS


def test_the_overlay_that_is_shown_names_images_as_the_folder_below_has_renamed_them() -> None:
    shown = re.findall(r"^images: (\[.*\])", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
    renamed = {image.get("newName", image["name"]) for image in WHOLE["images"]}
    (images,) = map(yaml.safe_load, shown)
    assert {image["name"] for image in images} <= renamed


def test_images_are_those_of_compose() -> None:
    images = {image["name"]: image for image in WHOLE["images"]}
    assert {container(thing)["image"] for thing in RUNNING} == images.keys()
    assert f"nats:{images['nats']['newTag']}" == COMPOSE["services"]["nats"]["image"]
    dockerfile = (ROOT / "deploy/Dockerfile").read_text()
    assert f"ARG CADDY={COMPOSE['services']['proxy']['image']}\n" in dockerfile
    assert "FROM ${CADDY} AS proxy" in dockerfile
    for name, image in images.items():
        assert name == "nats" or image["newTag"] == version("roundlog")
    major = COMPOSE["services"]["postgres"]["image"].partition(":")[2]
    assert re.fullmatch(rf".*:{major}-\S+", named("Cluster", "database")["spec"]["imageName"])


def test_nothing_is_root_writes_to_itself_or_is_cut_off_at_its_end() -> None:
    for thing in RUNNING:
        own = container(thing)
        assert pod(thing)["securityContext"]["runAsNonRoot"]
        assert not pod(thing)["automountServiceAccountToken"]
        assert own["securityContext"]["readOnlyRootFilesystem"]
        assert not own["securityContext"]["allowPrivilegeEscalation"]
        assert own["securityContext"]["capabilities"]["drop"] == ["ALL"]
        assert own["resources"]["limits"]["memory"]
        assert own["resources"]["requests"].keys() == {"cpu", "memory"}
        if thing["kind"] != "Job":
            assert {"startupProbe", "livenessProbe", "readinessProbe"} <= own.keys()
    for thing in [*SERVING, named("Deployment", "proxy")]:
        before = container(thing)["lifecycle"]["preStop"]["sleep"]["seconds"]
        assert pod(thing)["terminationGracePeriodSeconds"] >= before + DRAIN_SECONDS + 5


class ThreeBrokers:
    """By the very files that the three have in a cluster; only where they listen is another place."""

    def __init__(self, folder: Path, secrets: Path) -> None:
        self.folder = folder
        self.secrets = secrets
        self.clients = [ports.any_free() for _ in BROKERS]
        self.routes = [ports.any_free() for _ in BROKERS]

    def url(self, service: str, place: int) -> str:
        password = (self.secrets / f"{service}-nats").read_text()
        return accounts.own_url(f"nats://127.0.0.1:{self.clients[place]}", service, password)

    def write(self) -> None:
        known = (self.secrets / "routes.conf").read_text()
        for name, route in zip(BROKERS, self.routes, strict=True):
            known = known.replace(f"{name}.nats-routes:6222", f"127.0.0.1:{route}")
        for name, client, route in zip(BROKERS, self.clients, self.routes, strict=True):
            own = self.folder / name
            own.mkdir()
            text = (FOLDER / "nats.conf").read_text()
            places = {"0.0.0.0:4222": f"127.0.0.1:{client}", "0.0.0.0:6222": f"127.0.0.1:{route}"}
            for place, here in (places | {"0.0.0.0:8222": "127.0.0.1:-1", "/data": str(own / "data")}).items():
                assert place in text
                text = text.replace(place, here)
            (own / "nats.conf").write_text(text)
            (own / "accounts.conf").write_text(accounts.written())
            (own / "passwords.conf").write_text((self.secrets / "nats-passwords.conf").read_text())
            (own / "routes.conf").write_text(known)

    @contextmanager
    def running(self) -> Generator[Mapping[str, subprocess.Popen[bytes]]]:
        self.write()
        with ExitStack() as stack:
            servers: dict[str, subprocess.Popen[bytes]] = {}
            for name in BROKERS:
                log = stack.enter_context((self.folder / f"{name}.log").open("wb"))
                command = [binaries.nats(), f"--config={self.folder / name / 'nats.conf'}"]
                servers[name] = subprocess.Popen(command, env={"POD": name}, stdout=log, stderr=log)  # noqa: S603
                stack.callback(servers[name].wait)
                stack.callback(servers[name].kill)
            yield servers


async def told(speaking: Broker, posts: list[Post]) -> None:
    """However long they take to choose who leads."""
    while True:
        try:
            await speaking.make_stream(STREAM, subjects=[subjects.events("results")], readers=[READER])
            await speaking.post(posts)
        except Unavailable:
            await asyncio.sleep(0.2)
        else:
            return


async def heard(hearing: Broker, several: int) -> list[bytes]:
    found: dict[bytes, None] = {}
    while True:
        try:
            async for batch in hearing.take(STREAM, reader=READER, at_most=several):
                found |= dict.fromkeys(message.data for message in batch)
                if len(found) >= several:
                    return list(found)
        except Unavailable:
            await asyncio.sleep(0.2)


async def test_three_brokers_keep_each_stream_and_one_of_them_may_go(
    given: tuple[Path, Mapping[str, dict[str, str]]], tmp_path: Path
) -> None:
    secrets, _ = given
    subject = subjects.subject("results", "cup", "ResultFinal")
    posts = [Post(subject=subject, body=b"%d" % number, headers={}) for number in range(20)]
    brokers = ThreeBrokers(tmp_path, secrets)
    speaking = Broker(brokers.url("results", 0), name="results", copies=len(BROKERS))
    hearing = Broker(brokers.url("standings", 1), name="standings")
    with brokers.running() as servers:
        async with asyncio.timeout(PATIENCE), speaking.running(), hearing.running():
            await told(speaking, posts[:10])
            found = await speaking._jetstream().stream_info(STREAM)
            assert found.config.num_replicas == len(BROKERS)
            assert found.cluster is not None
            assert len(found.cluster.replicas or []) == len(BROKERS) - 1
            assert found.cluster.leader is not None
            servers[found.cluster.leader].kill()
            await told(speaking, posts[10:])
            assert await heard(hearing, len(posts)) == [post.body for post in posts]
