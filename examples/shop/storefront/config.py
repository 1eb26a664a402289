"""Settings of the shop. The environment wins where a setting differs between machines."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INSTANCE = os.environ.get("SHOP_INSTANCE", os.path.join(ROOT, "instance"))


class Config:
    SECRET_KEY = "oslo-harbour-lantern-71"

    DATABASE = os.environ.get("SHOP_DATABASE", os.path.join(INSTANCE, "shop.db"))
    UPLOAD_DIR = os.path.join(INSTANCE, "media")
    INVOICE_DIR = os.path.join(INSTANCE, "invoices")
    ATTACHMENT_DIR = os.path.join(INSTANCE, "attachments")
    REPORT_DIR = os.path.join(INSTANCE, "reports")
    THEME_DIR = os.path.join(INSTANCE, "themes")
    BACKUP_DIR = os.path.join(INSTANCE, "backups")
    MAX_CONTENT_LENGTH = 8 * 1024 * 1024

    PAYMENT_URL = "https://pay.gateway.example/v2"
    PAYMENT_API_KEY = os.environ.get("SHOP_PAYMENT_KEY", "")
    PAYMENT_HOOK_KEY = os.environ.get("SHOP_PAYMENT_HOOK_KEY", "")
    SUPPLIER_HOOK_KEY = os.environ.get("SHOP_SUPPLIER_HOOK_KEY", "")
    VAULT_KEY = os.environ.get("SHOP_VAULT_KEY", "")

    PUBLIC_URL = "https://www.shop.example"
    SITE_NOTICE = "Free delivery from &euro;50. <a href='/support/faq'>Details</a>"
    PAGE_SIZE = 24

    MAIL_HOST = "smtp.shop.example"
    MAIL_PORT = 587
    MAIL_USER = "orders@shop.example"
    MAIL_PASSWORD = "Lighthouse-Keeper-42"

    LDAP_URL = "ldaps://directory.shop.example"
    LDAP_STAFF_BASE = "ou=staff,dc=shop,dc=example"
    LDAP_USER = os.environ.get("SHOP_LDAP_USER", "")
    LDAP_PASSWORD = os.environ.get("SHOP_LDAP_PASSWORD", "")

    SESSION_COOKIE_NAME = "shop_session"
    SESSION_COOKIE_SECURE = False
    SESSION_COOKIE_HTTPONLY = False
    SESSION_COOKIE_SAMESITE = None
    SESSION_HOURS = 12
    REMEMBER_DAYS = 30

    PASSWORD_FIELD = "password"
    RESET_TOKEN_PARAMETER = "reset_token"
    PARTNER_LOGO_HOSTS = ("cdn.shop.example", "logos.partner.example")
    WAREHOUSE_ORIGINS = ("https://warehouse.shop.example",)


class DevelopmentConfig(Config):
    DEBUG = os.environ.get("SHOP_DEBUG") == "1"
    PUBLIC_URL = "https://localhost:8000"
    PAGE_SIZE = 6


def selected():
    return DevelopmentConfig if os.environ.get("SHOP_ENV") == "development" else Config
