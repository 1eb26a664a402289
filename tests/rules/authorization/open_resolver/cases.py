import graphene
import strawberry
from ariadne import MutationType, ObjectType, QueryType
from sqlalchemy import Column, ForeignKey, Integer, String, select
from strawberry.types import Info

from permissions import IsKnown
from store import Base, checked, opened

query = QueryType()
mutation = MutationType()
shelf = ObjectType("Shelf")
OPENING_HOURS = ["9-17"]


class Member(Base):
    id = Column(Integer, primary_key=True)
    email = Column(String)


class Loan(Base):
    id = Column(Integer, primary_key=True)
    user_id = Column(Integer, ForeignKey("member.id"))


class Book(Base):
    id = Column(Integer, primary_key=True)


@strawberry.type
class LibraryQuery:
    @strawberry.field
    async def members(self, info: Info) -> list[str]:  # expect: open-resolver
        async with opened() as db:
            return (await db.execute(select(Member))).scalars().all()

    @strawberry.field
    async def loan(self, info: Info, id: int) -> str:  # expect: open-resolver
        async with opened() as db:
            return (await db.execute(select(Loan).where(Loan.id == id))).scalar_one_or_none()

    @strawberry.field
    async def book(self, info: Info, id: int) -> str:  # ok: open-resolver
        async with opened() as db:
            return (await db.execute(select(Book).where(Book.id == id))).scalar_one_or_none()

    @strawberry.field
    async def own(self, info: Info, id: int) -> str:  # ok: open-resolver
        context = info.context
        if context["user"] is None:
            return ""
        async with opened() as db:
            return (await db.execute(select(Loan).where(Loan.id == id))).scalar_one_or_none()

    @strawberry.field(permission_classes=[IsKnown])
    async def everybody(self, info: Info) -> list[str]:  # ok: open-resolver
        async with opened() as db:
            return (await db.execute(select(Member))).scalars().all()

    @strawberry.field
    def hours(self) -> list[str]:  # ok: open-resolver
        return OPENING_HOURS


@strawberry.type
class Shelf:
    @strawberry.field
    async def loans(self, info: Info) -> list[str]:  # ok: open-resolver
        async with opened() as db:
            return (await db.execute(select(Loan).where(Loan.shelf_id == self.id))).scalars().all()


class RemoveLoan(graphene.Mutation):
    def mutate(self, info, id):  # expect: open-resolver
        db = opened()
        db.delete(db.get(Loan, id))
        db.commit()


class AddMember(graphene.Mutation):
    def mutate(self, info, email):  # ok: open-resolver
        db = opened()
        db.add(Member(email=email))
        db.commit()


class ReturnLoan(graphene.Mutation):
    def mutate(self, info, id):  # ok: open-resolver
        checked(info)
        db = opened()
        db.delete(db.get(Loan, id))
        db.commit()


class AddMemberQuery(graphene.ObjectType):
    def resolve_loan(self, info, id):  # expect: open-resolver
        return opened().get(Loan, id)


@query.field("loan")
def loan(_, info, id):  # expect: open-resolver
    return opened().get(Loan, id)


@mutation.field("extend")
def extend(_, info, id):  # expect: open-resolver
    db = opened()
    db.get(Loan, id).weeks += 1
    db.commit()


@shelf.field("loan")
def loan_of_shelf(_, info, id):  # ok: open-resolver
    return opened().get(Loan, id)


class Visit:
    @classmethod
    def note(cls, info):
        db = opened()
        db.add(cls(info.operation.name))
        db.commit()


class ArchiveQuery(graphene.ObjectType):
    def resolve_books(self, info):  # ok: open-resolver
        Visit.note(info)
        return opened().query(Book).all()

    def resolve_members(self, info):  # expect: open-resolver
        Visit.note(info)
        return MemberType.get_query(info).filter(Member.id > 0), opened().query(Member).all()

    def resolve_remove_books(self, info):  # expect: open-resolver
        db = opened()
        db.query(Book).delete()
        db.commit()
