import type { components, operations } from '@partner-payments/spec'

/** The operationIds of the contract, without deliveries, which partners receive. */
export type OperationId = Exclude<keyof operations, `on${string}`>

export type Schemas = components['schemas']

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined

export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: infer Body }
  ? Json<Body>
  : undefined

/** The body of a successful response. */
export type ResponseBodyOf<Id extends OperationId> = operations[Id] extends {
  responses: infer Responses
}
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 204 ? Json<Responses[Status]> : never
    }[keyof Responses]
  : never

export type PathOf<Id extends OperationId> = operations[Id] extends {
  parameters: { path: infer Path }
}
  ? Path
  : Record<never, never>

export type QueryOf<Id extends OperationId> = operations[Id] extends {
  parameters: { query?: infer Query }
}
  ? NonNullable<Query>
  : Record<never, never>
