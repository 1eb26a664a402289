const { ApolloServer } = require('@apollo/server');
const fetch = require('node-fetch');

const resolvers = {
  Mutation: {
    hook: async (_, { url }) => {
      const answer = await fetch(url); // expect: javascript-ssrf
      return answer.text();
    },
    ping: async (_, { name }) => {
      const answer = await fetch(`https://status.example.org/${encodeURIComponent(name)}`); // ok: javascript-ssrf
      return answer.text();
    },
  },
};

const server = new ApolloServer({ typeDefs: 'type Mutation { hook(url: String): String }', resolvers });
