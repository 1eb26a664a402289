from pymongo import MongoClient

store = MongoClient().shop


def redeem(code):
    coupon = store.coupons.find_one({"code": code})
    if coupon["used"] >= coupon["max_uses"]:  # expect: check-then-act
        return False
    store.coupons.update_one({"_id": coupon["_id"]}, {"$set": {"used": coupon["used"] + 1}})
    return True


def counted(code):
    coupon = store.coupons.find_one({"code": code})
    if coupon["used"] >= coupon["max_uses"]:  # ok: check-then-act
        return False
    store.coupons.update_one({"_id": coupon["_id"], "used": coupon["used"]}, {"$set": {"used": coupon["used"] + 1}})
    return True


def locked(session, coupons, code):
    coupon = session.query(coupons).filter_by(code=code).with_for_update().first()
    if coupon.used >= coupon.max_uses:  # ok: check-then-act
        return False
    coupon.used += 1
    session.commit()
    return True
