"""GraphQL resolvers of JavaScript programs as ways in, with what they ask of their callers."""

from collections.abc import Callable

Shown = Callable[[dict[str, str]], list[str]]


def test_resolvers_by_type_across_files_and_what_they_ask(routes: Shown) -> None:
    found = routes(
        {
            "index.js": """
                const { ApolloServer } = require("apollo-server");
                const resolvers = require("./resolvers");
                const server = new ApolloServer({ typeDefs, resolvers });
            """,
            "resolvers/index.js": """
                const Query = require("./query");
                module.exports = {
                  Query,
                  Mutation: {
                    open: (parent, args) => save(args),
                    asked(parent, args, context) {
                      if (!context.user) throw new Error("sign in");
                      return save(args);
                    },
                    wrapped: requireAuth((parent, args) => save(args)),
                  },
                  User: { name: (user) => user.name },
                };
            """,
            "resolvers/query.js": """
                const find = async (_, args) => look(args.name);
                module.exports = { find, fixed: 1 };
            """,
        }
    )
    assert found == [
        "MUTATION /graphql#asked resolvers/index.js:6 present",
        "QUERY /graphql#find resolvers/query.js:1 absent",
        "MUTATION /graphql#open resolvers/index.js:5 absent",
        "MUTATION /graphql#wrapped resolvers/index.js:10 present",
    ]


def test_a_root_value_and_types_put_together_in_code(routes: Shown) -> None:
    found = routes(
        {
            "server.js": """
                const { graphqlHTTP } = require("express-graphql");
                const { GraphQLObjectType } = require("graphql");
                const root = { look: ({ name }) => find(name) };
                app.use("/graphql", graphqlHTTP({ schema, rootValue: root }));
                const Type = new GraphQLObjectType({
                  name: "RootMutation",
                  fields: () => ({ show: { type: X, resolve(parent, args) { return find(args.id); } } }),
                });
            """
        }
    )
    assert [each for each in found if "#" in each] == [
        "QUERY /graphql#look server.js:3 absent",
        "MUTATION /graphql#show server.js:7 absent",
    ]


def test_fields_spread_from_other_files_with_the_checks_of_what_they_call(routes: Shown) -> None:
    found = routes(
        {
            "schema.js": """
                const graphql = require("graphql");
                const users = require("./users");
                module.exports = new graphql.GraphQLObjectType({ name: "RootQuery", fields: { ...users.queries } });
            """,
            "users/index.js": 'module.exports = { queries: require("./query") };\n',
            "users/query.js": """
                const logic = require("./logic.js");
                module.exports = {
                  mine: { type: X, resolve: (root, args, context) => logic.mine(args.id, context) },
                  other: { type: X, resolve: (root, args, context) => logic.other(args.id, context) },
                  open: { type: X, resolve: (root, args) => logic.open(args.id) },
                };
            """,
            "users/logic.js": """
                const { signedIn } = require("../lib.js");
                exports.mine = async (id, ctx) => {
                  signedIn(ctx);
                  return User.find(id);
                };
                exports.other = async (id, ctx) => User.find(id, ctx.language);
                exports.open = async (id) => User.find(id);
            """,
            "lib.js": "exports.signedIn = (ctx) => {\n  if (!ctx.user) throw new Error('who?');\n};\n",
        }
    )
    shown = [each.split(" ") for each in found if "#" in each]
    assert {each[1]: each[-1] for each in shown} == {
        "/graphql#mine": "present",
        "/graphql#open": "absent",
        "/graphql#other": "unknown",
    }


def test_without_a_graphql_package_objects_with_such_names_are_no_way_in(routes: Shown) -> None:
    assert routes({"a.js": "module.exports = { Query: { find: (a, b) => look(b) } };\n"}) == []
