export { fromCentavos, toCentavos } from './amounts.ts'
export { type Client, createClient } from './client.ts'
export type { Clock } from './clock.ts'
export {
  AbortedError,
  ConfigError,
  ConnectionError,
  DecodeError,
  type ErrorKind,
  HttpError,
  OutcomeUnknownError,
  PaymentsError,
  TimeoutError,
  type UnknownRequest,
} from './errors.ts'
export type {
  GuideWebhook,
  GuideWebhookCredential,
  GuideWebhookList,
  GuideWebhookRequest,
} from './generated/contract.ts'
export type { ErrorCodes } from './generated/error-codes.ts'
export { type LoggedMessage, type LoggingOptions, type LogRecord, logging } from './logging.ts'
export type { Attempt, AttemptResult, Issue, Middleware } from './middleware.ts'
export type { ActingFor, Auth, CallOptions, ClientOptions, Secret, Supplier, Token } from './options.ts'
export type { CheckedCode, CheckedKey, FixedCode, OpenCode, Payment, PaymentCall } from './payable.ts'
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
export { type Tracer, type TracingOptions, tracing } from './tracing.ts'
export type { Transport } from './transport.ts'
