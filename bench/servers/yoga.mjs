// The peer: graphql-yoga as in its documentation, with the schema and the data of nonet.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'

const [, , port, file] = process.argv
const { typeDefs, countries, continents } = JSON.parse(readFileSync(file, 'utf8'))
const names = new Map(continents.map((continent) => [continent.code, continent]))
const byCode = new Map(
  countries.map((country) => [
    country.code,
    {
      ...country,
      phone: country.phones.join(','),
      currency: country.currencies.join(',') || null,
      continent: names.get(country.continent),
      continents: country.continents.map((code) => names.get(code)),
      timezones: country.timezones.map((name) => ({ name }))
    }
  ])
)
const resolvers = { Query: { country: (_, { code }) => byCode.get(code) } }
const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false })

createServer(yoga).listen(Number(port), '127.0.0.1', () => console.log('ready'))
