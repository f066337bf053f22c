/** The claims on plain lists that explain a failure of anything that reads lists page by page. */
export const plainLists = ['list.walk.*', 'list.token.*', 'list.empty.*', 'list.repeated*', 'list.fresh'] as const

/** The claims over gRPC that explain a failure of the same there. */
export const plainOverGrpc = ['grpc.list.*', 'grpc.create.*', 'grpc.update.*', 'grpc.delete.*'] as const
