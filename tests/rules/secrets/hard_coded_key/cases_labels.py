SITE_STRIPE_SECRET = "Stripe Secret Key"  # ok: hard-coded-key
SITE_PAYPAL_SECRET = "Paypal Api Token"  # ok: hard-coded-key
