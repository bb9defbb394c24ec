"""What webhooks of standings are told: records of its log, by what they are about."""

from shared.webhooks.sender import WebhookTypes

WEBHOOKS: WebhookTypes = {
    "tables": {"TableChanged", "TieSettled", "StageShortened", "StageClosed", "PrizeChosen", "Qualified"}
}
