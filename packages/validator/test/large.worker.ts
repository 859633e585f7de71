import { workerData } from 'node:worker_threads'
import { createValidator } from '../src/index.ts'

/** Validates the parameters of a document within the memory of this worker. */
const { document, query }: { document: object; query: string } = workerData
createValidator(document).validateRequest({ method: 'GET', path: '/it', query })
