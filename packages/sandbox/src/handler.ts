import type { Caller } from './auth/caller.ts'
import type { Context } from './context.ts'
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from './contract.ts'
import type { Rejection } from './transfers/rejections.ts'

/** A request of an operation that keeps the contract, from someone who may make it. */
export interface Call<Id extends OperationId> {
  readonly body: BodyOf<Id>
  readonly path: PathOf<Id>
  readonly query: QueryOf<Id>
  /** Signing in is how one becomes a caller. */
  readonly caller: Id extends 'signIn' ? undefined : Caller
  /** The header of that name. */
  readonly authorization: string | null
  readonly context: Context
  /** What a fault makes of the transfer. */
  readonly rejection: Rejection | undefined
}

/** Does an operation: answers with what its success holds, or throws a `Refusal`. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id>>
