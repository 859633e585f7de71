import { workerData } from 'node:worker_threads'
import { createValidator } from '../src/index.ts'

/** Judges the parameters of a document by one validator, in the memory that this worker has. */
const { document, pointers }: { document: object; pointers: string[] } = workerData
const validator = createValidator(document)
for (const pointer of pointers) validator.validateParameter(pointer, 'x')
