"""What webhooks of pairing are told: records of its log, by what they are about."""

from shared.webhooks.sender import WebhookTypes

WEBHOOKS: WebhookTypes = {"rounds": {"RoundPublished", "RoundRecalled", "TablesRepaired"}}
