"""Fills the tracking store named by the first argument with experiments, runs and models.

The second argument is the folder that the server serves artifacts from. Numbers come from a seeded generator, so every run of this script
draws the same curves.
"""

import math
import random
import sys
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from mlflow.entities import Metric, Param, RunTag  # noqa: E402
from mlflow.tracking import MlflowClient  # noqa: E402

HOUR_MS = 3_600_000
EPOCHS = 40

random.seed(1912)
client = MlflowClient(tracking_uri=sys.argv[1], registry_uri=sys.argv[1])
artifacts = Path(sys.argv[2])

EXPERIMENTS = {
    "tide-level": "Hourly water level at the harbour gauge, a day ahead.",
    "museum-visitors": "Visitors per opening hour, by weather and school holiday.",
    "tram-delays": "Minutes late at each stop, from the stop before.",
    "solar-roof": "Output of the library's panels for the next afternoon.",
    "coffee-stock": "Kilograms to order before the weekend.",
    "reading-room": "Free seats by the hour.",
    "bread-demand": "How many loaves of each kind the bakery sells tomorrow.",
}

# Name, model, learning rate, depth, the error it ends at, hours ago.
BREAD_RUNS = [
    ("calm-otter", "gradient boosting", 0.10, 6, 0.118, 2),
    ("brisk-heron", "gradient boosting", 0.05, 6, 0.109, 5),
    ("patient-larch", "gradient boosting", 0.05, 8, 0.101, 9),
    ("amber-finch", "random forest", 0.00, 12, 0.134, 26),
    ("quiet-barge", "random forest", 0.00, 18, 0.129, 29),
    ("silver-plum", "neural network", 0.01, 3, 0.142, 50),
    ("late-ferry", "neural network", 0.003, 4, 0.123, 53),
    ("early-loaf", "linear", 0.00, 1, 0.187, 74),
]


def record(experiment, run, now):
    name, model, rate, depth, error, hours_ago = run
    start = now - hours_ago * HOUR_MS
    tags = {
        "mlflow.runName": name,
        "mlflow.user": "mira",
        "mlflow.source.name": "train.py",
        "mlflow.source.type": "LOCAL",
        "team": "bakery",
    }
    entry = client.create_run(experiment, start_time=start, tags=tags)
    metrics = []
    for epoch in range(EPOCHS):
        left = math.exp(-epoch / 9)
        noise = random.gauss(0, 0.006) * (0.3 + left)
        at = start + epoch * 15_000
        metrics.append(Metric("val_error", error + 0.45 * left + noise, at, epoch))
        metrics.append(Metric("train_error", error * 0.86 + 0.42 * left + noise / 2, at, epoch))
        metrics.append(Metric("r2", 1 - 2.1 * error - 0.7 * left - noise, at, epoch))
    metrics.append(Metric("waste_loaves", round(error * 310), start, 0))
    params = [
        Param("model", model),
        Param("learning_rate", str(rate)),
        Param("max_depth", str(depth)),
        Param("holidays", "public and school" if hours_ago < 40 else "public"),
        Param("window_days", "28"),
    ]
    client.log_batch(entry.info.run_id, metrics=metrics, params=params, tags=[RunTag("stage", "weekly")])
    client.set_terminated(entry.info.run_id, end_time=start + EPOCHS * 15_000)
    return entry.info


def draw_forecast(folder):
    days = list(range(28))
    sold = [210 + 60 * math.sin(day * 2 * math.pi / 7) + random.gauss(0, 12) for day in days]
    forecast = [212 + 58 * math.sin(day * 2 * math.pi / 7) for day in days]
    figure, axes = plt.subplots(figsize=(8, 4.2), dpi=110)
    axes.bar(days, sold, color="#F4C95D", label="sold")
    axes.plot(days, forecast, color="#D1495B", linewidth=3, label="forecast")
    axes.set_xlabel("day of October")
    axes.set_ylabel("rye loaves")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(folder / "october-forecast.png")


def main():
    now = int(time.time() * 1000)
    ids = {}
    for name, note in EXPERIMENTS.items():
        ids[name] = client.create_experiment(name, artifact_location=f"mlflow-artifacts:/{name}")
        client.set_experiment_tag(ids[name], "mlflow.note.content", note)
    runs = [record(ids["bread-demand"], run, now) for run in BREAD_RUNS]
    best = runs[2]
    # Written where the server keeps them, because it is not running yet.
    folder = artifacts / "bread-demand" / best.run_id / "artifacts"
    (folder / "figures").mkdir(parents=True)
    draw_forecast(folder / "figures")
    (folder / "notes.md").write_text("# October\n\nRye is the hardest bread to guess: half of it is ordered by phone.\n")
    for name, note in [
        ("bread-forecast", "Loaves for tomorrow, by kind and counter."),
        ("tide-forecast", "Water level for the next 24 hours."),
        ("visitor-forecast", "Visitors per opening hour."),
    ]:
        client.create_registered_model(name, description=note, tags={"owner": "mira"})
    for run in (runs[0], runs[1], best):
        version = client.create_model_version("bread-forecast", source=run.artifact_uri, run_id=run.run_id)
    client.set_registered_model_alias("bread-forecast", "champion", version.version)
    client.set_registered_model_alias("bread-forecast", "shadow", "2")


main()
