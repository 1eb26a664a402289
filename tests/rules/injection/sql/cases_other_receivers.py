import graphene
import strawberry
from flask import Flask, jsonify, request

app = Flask(__name__)


class Query(graphene.ObjectType):
    greeting = graphene.String()


schema = graphene.Schema(query=Query)
other = strawberry.Schema(query=Query)


@app.route("/graphql", methods=["POST"])
def ask():
    body = request.get_json()
    answer = schema.execute(body.get("query"), variable_values=body.get("variables"))  # ok: sql-injection
    return jsonify(answer.data)


@app.route("/other", methods=["POST"])
def ask_other():
    return jsonify(other.execute(request.json["query"]).data)  # ok: sql-injection


@app.route("/found")
def found():
    connection = app.extensions["store"]
    return jsonify(connection.execute("SELECT * FROM t WHERE n = '" + request.args["n"] + "'").all())  # expect: sql-injection


def counted(request, connection, rows):
    chosen = rows.filter(name=request.GET["name"])
    where, values = chosen.query.where.as_sql(chosen.query.compiler, connection)
    connection.cursor().execute("SELECT count(*) FROM rows WHERE {}".format(where), values)  # ok: sql-injection
    named = request.GET["name"]
    connection.cursor().execute("SELECT count(*) FROM rows WHERE {}".format(named))  # expect: sql-injection
