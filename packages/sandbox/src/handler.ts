import type { Caller } from './auth/tokens.ts'
import type { Context, HandlerContext } from './context.ts'
import type { BodyOf, OperationId, PathOf, QueryOf, ResponseBodyOf } from './contract.ts'
import type { Store } from './store/store.ts'
import type { Rejection } from './transfers/rejections.ts'

/** A validated request from a caller who may make it. */
export interface Call<Id extends OperationId> {
  readonly body: BodyOf<Id>
  readonly path: PathOf<Id>
  readonly query: QueryOf<Id>
  /** Undefined for signIn, which has no caller yet. */
  readonly caller: Id extends 'signIn' ? undefined : Caller
  readonly authorization: string | null
  /**
   * A transaction that refuses the request if a reset has removed its token since the caller was
   * identified, so that a request of the old state changes nothing in the new one. Undefined for
   * signIn, which has no token yet.
   */
  readonly writeWithToken: Id extends 'signIn' ? undefined : Store['write']
  readonly context: Id extends 'signIn' ? Context : HandlerContext
  /** The rejection that a fault forces on the transfer. */
  readonly rejection: Rejection | undefined
}

/** Performs an operation: returns the body of its success, or throws a `Refusal`. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<ResponseBodyOf<Id>>
