import graphene
import strawberry
from flask import Flask
from flask_graphql import GraphQLView

app = Flask(__name__)


@strawberry.type
class Author:
    name: str

    @strawberry.field
    def books(self) -> list["Book"]:
        return []


@strawberry.type
class Book:
    title: str

    @strawberry.field
    def author(self) -> Author:
        return Author(name="")


@strawberry.type
class Query:
    books: list[Book]


schema = strawberry.Schema(query=Query)  # expect: graphql-limits
old = graphene.Schema(query=Query)  # expect: graphql-limits

app.add_url_rule("/a", view_func=GraphQLView.as_view("a", schema=schema, batch=True))  # expect: graphql-limits
app.add_url_rule("/b", view_func=GraphQLView.as_view("b", schema=schema))  # ok: graphql-limits
app.add_url_rule("/c", view_func=GraphQLView.as_view("c", schema=schema, batch=False))  # ok: graphql-limits
