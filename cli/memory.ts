import { setFlagsFromString } from 'node:v8'

// V8 lets a heap grow to a multiple of what is alive before it collects: here to a quarter more, as CI machines are small
setFlagsFromString('--heap-growing-percent=25')
// what a call leaves behind is collected in steps of a few megabytes
setFlagsFromString('--max-semi-space-size=8')
