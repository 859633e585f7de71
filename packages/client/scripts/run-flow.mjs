import { flow } from './flow.mjs'

console.log(JSON.stringify(await flow(process.argv[2])))
