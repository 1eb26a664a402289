"""Annotated cases for unchecked-amount: amounts in the model of a request's body."""

from decimal import Decimal

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel, Field, PositiveInt, field_validator

from store import Basket, caller, dish

router = APIRouter()


class Portion(BaseModel):
    number: int
    quantity: int


class Bounded(BaseModel):
    number: int
    quantity: int = Field(gt=0, le=20)


class Positive(BaseModel):
    number: int
    quantity: PositiveInt


class Asked(BaseModel):
    number: int
    quantity: int

    @field_validator("quantity")
    @classmethod
    def sensible(cls, value):
        if value < 1:
            raise ValueError
        return value


@router.post("/basket")
def put(body: Portion, who=Depends(caller)):
    Basket(who).add(body.number, Decimal(dish(body.number).price) * body.quantity)  # expect: unchecked-amount


@router.post("/basket/bounded")
def put_bounded(body: Bounded, who=Depends(caller)):
    Basket(who).add(body.number, Decimal(dish(body.number).price) * body.quantity)  # ok: unchecked-amount


@router.post("/basket/positive")
def put_positive(body: Positive, who=Depends(caller)):
    Basket(who).add(body.number, Decimal(dish(body.number).price) * body.quantity)  # ok: unchecked-amount


@router.post("/basket/asked")
def put_asked(body: Asked, who=Depends(caller)):
    Basket(who).add(body.number, Decimal(dish(body.number).price) * body.quantity)  # ok: unchecked-amount


@router.post("/basket/compared")
def put_compared(body: Portion, who=Depends(caller)):
    if not 0 < body.quantity < 50:
        raise HTTPException(status_code=400)
    Basket(who).add(body.number, Decimal(dish(body.number).price) * body.quantity)  # ok: unchecked-amount


@router.post("/basket/counted")
def put_counted(body: Portion, who=Depends(caller)):
    Basket(who).add(body.number, body.quantity)  # ok: unchecked-amount
