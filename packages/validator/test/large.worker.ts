import { workerData } from 'node:worker_threads'
import { createValidator } from '../src/index.ts'

/** Validates the parameters of a document within the memory of this worker. */
const { document, pointers }: { document: object; pointers: string[] } = workerData
const validator = createValidator(document)
for (const pointer of pointers) validator.validateParameter(pointer, 'x')
