from azure.kusto.data import KustoClient
from flask import Flask, request
from google.cloud import bigquery
from neo4j import GraphDatabase

app = Flask(__name__)
kusto = KustoClient("https://cluster.example")
graph = GraphDatabase.driver("bolt://graph.example")


@app.route("/table")
def table():
    name = request.args["name"]
    return str(kusto.execute("logs", f"{name} | getschema"))  # expect: sql-injection


@app.route("/people")
def people():
    with graph.session() as session:
        return str(session.run("MATCH (p {name: '" + request.args["name"] + "'}) RETURN p"))  # expect: sql-injection


@app.route("/rows")
def rows():
    client = bigquery.Client()
    return str(client.query("SELECT * FROM " + request.args["table"]))  # expect: sql-injection


@app.route("/person")
def person():
    with graph.session() as session:
        return str(session.run("MATCH (p {name: $name}) RETURN p", name=request.args["name"]))  # ok: sql-injection


@app.route("/logs")
def logs():
    return str(kusto.execute(request.args["database"], "Logs | count"))  # ok: sql-injection
