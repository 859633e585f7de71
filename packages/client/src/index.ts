export type { Middleware } from 'openapi-fetch'
export { fromCentavos, toCentavos } from './amounts.ts'
export type { CallOutcome, CallRecord } from './call-record.ts'
export { type Client, createClient, type SerializerOptions } from './client.ts'
export type { Clock } from './clock.ts'
export {
  AbortedError,
  ConfigError,
  ConnectionError,
  DecodeError,
  type ErrorJson,
  type ErrorKind,
  HttpError,
  type Issue,
  OutcomeUnknownError,
  PaymentsError,
  TimeoutError,
  type UnknownRequest,
} from './errors.ts'
export type { paths } from './generated/contract.ts'
export type { ErrorCodes } from './generated/error-codes.ts'
// Every schema of the contract by its name.
export type * from './generated/models.ts'
export type { WebhookEvent } from './generated/webhooks/index.ts'
export { type LoggedMessage, type LoggingOptions, type LogRecord, logging } from './logging.ts'
export { type Match, match, type UnknownPayment } from './match.ts'
export type {
  ActingFor,
  Attempt,
  Auth,
  CallOptions,
  ClientOptions,
  Fetch,
  Scheme,
  Secret,
  Supplier,
  Token,
  TokenRequest,
} from './options.ts'
export type {
  CheckedCode,
  CheckedKey,
  FixedCode,
  OpenCode,
  PayableCode,
  PayableKey,
  PaymentCall,
  PaymentFields,
  PaymentOfCheck,
} from './payable.ts'
export { createPayments, type Payments } from './payments.ts'
export type {
  Call,
  DeclaredErrors,
  Failure,
  List,
  OnceCall,
  Refusal,
  Success,
  Undeclared,
  UnknownOutcome,
} from './result.ts'
export { createSafeFetch, type SafeFetchOptions } from './safe-fetch.ts'
export type { Connection, Transport } from './transport.ts'
