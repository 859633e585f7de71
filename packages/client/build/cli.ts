import { generate } from './generate.ts'

await generate()
