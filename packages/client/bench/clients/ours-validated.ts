import { logging } from '@partner-payments/client'
import { validation } from '@partner-payments/client/validation'
import { connect as ours } from './ours.ts'

export const connect = (baseUrl: string, token: string) =>
  ours({ baseUrl, token, fetch: logging(console.log, { fetch: validation() }) })
