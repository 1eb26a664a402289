const { ApolloServer } = require('@apollo/server');
const mongoose = require('mongoose');

const User = mongoose.model('User', new mongoose.Schema({ name: String, password: String }));

const resolvers = {
  Query: {
    user: async (_, { name }) => User.findOne({ name }), // ok: javascript-nosql-injection
  },
  Mutation: {
    login: async (_, { input }) => User.findOne({ name: input.name, password: input.password }), // ok: javascript-nosql-injection
  },
};

const server = new ApolloServer({ typeDefs: 'type Query { user(name: String): User }', resolvers });
