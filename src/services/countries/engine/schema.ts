import { buildSchema, type GraphQLSchema, isObjectType } from 'graphql'
import { readSchemaText } from '../schema-text.ts'
import type { Resolvers } from './resolvers.ts'

export function createSchema(resolvers: Resolvers): GraphQLSchema {
  const schema = buildSchema(readSchemaText())
  for (const [name, fields] of Object.entries(resolvers)) {
    const type = schema.getType(name)
    if (!isObjectType(type)) throw new Error(`${name} is no type of the schema`)
    for (const [fieldName, resolve] of Object.entries(fields)) {
      const field = type.getFields()[fieldName]
      if (field === undefined) throw new Error(`${name}.${fieldName} is no field of the schema`)
      field.resolve = resolve
    }
  }
  return schema
}
