"""What webhooks of results are told: records of its log, by what they are about."""

from shared.webhooks.sender import WebhookTypes

WEBHOOKS: WebhookTypes = {
    "results": {"ResultAgreed", "ResultDecided", "ResultCorrected", "GameVoided", "ReplayOrdered"},
    "rounds": {"RoundCompleted"},
    "disputes": {"ResultDisputed", "ComplaintMade", "ComplaintAnswered", "ProtestFiled", "ProtestDecided"},
}
