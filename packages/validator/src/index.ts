export { pointerOf, stepsOf } from '@partner-payments/contract'
export { ContractError } from './document.ts'
export type { Finding, Place } from './finding.ts'
export type {
  DeliveryMessage,
  MessageHeaders,
  RequestMessage,
  ResponseMessage,
} from './messages.ts'
export type { Operation } from './operation.ts'
export type { Found, NotFound } from './routes.ts'
export type { ValidateOptions, Validator, ValidatorOptions } from './validator.ts'
export { createValidator } from './validator.ts'
