import { createPayments } from '@partner-payments/client'
import { sendOnce } from './send-once.mjs'

const [origin, ...scenarios] = process.argv.slice(2)
console.log(JSON.stringify(await sendOnce(createPayments, origin, scenarios)))
