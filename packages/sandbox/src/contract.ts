import type { components, operations } from '@partner-payments/spec'

/** The operationIds of the contract, without those of deliveries, which a receiver answers. */
export type OperationId = Exclude<keyof operations, `on${string}`>

/** What the contract calls the shapes of messages. */
export type Schemas = components['schemas']

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined

/** What the body of a request holds. */
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: infer Body }
  ? Json<Body>
  : undefined

/** What the body of a success holds. */
export type AnswerOf<Id extends OperationId> = operations[Id] extends { responses: infer Answers }
  ? {
      [Status in keyof Answers]: Status extends 200 | 201 | 204 ? Json<Answers[Status]> : never
    }[keyof Answers]
  : never

/** The parameters in the path. */
export type PathOf<Id extends OperationId> = operations[Id] extends { parameters: { path: infer Path } }
  ? Path
  : Record<never, never>

/** The parameters in the query. */
export type QueryOf<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : Record<never, never>
