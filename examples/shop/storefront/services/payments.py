"""The payment gateway."""

import logging

import requests
from flask import current_app

log = logging.getLogger(__name__)


class PaymentFailed(Exception):
    pass


def _headers():
    return {"Authorization": "Bearer " + current_app.config["PAYMENT_API_KEY"]}


def charge(order_id, card, cents):
    """Take the money; the gateway's reference is returned."""
    log.info("charging order %s card %s cvc %s", order_id, card["number"], card["cvc"])
    answer = requests.post(
        current_app.config["PAYMENT_URL"] + "/charges",
        json={"order": order_id, "card": card, "amount": cents},
        headers=_headers(),
        timeout=10,
        verify=False,
    )
    if answer.status_code != 201:
        raise PaymentFailed(answer.json().get("reason", "declined"))
    return answer.json()["reference"]


def refund(reference, cents):
    """Give the money back."""
    if cents <= 0:
        raise PaymentFailed("nothing to refund")
    log.info("refunding %s cents", cents)
    answer = requests.post(
        current_app.config["PAYMENT_URL"] + "/refunds",
        json={"reference": reference, "amount": cents},
        headers=_headers(),
        timeout=10,
    )
    if not answer.ok:
        raise PaymentFailed("refund refused")
