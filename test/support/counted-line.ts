import type { Dispatcher } from 'undici';

/** A line that knows how many requests are under way on it: neither answered to the end nor given up. */
export interface CountedLine {
  readonly line: Dispatcher;
  readonly underWay: () => number;
}

export function countedLine(line: Dispatcher): CountedLine {
  const underWay = new Set<Dispatcher.DispatchHandler>();
  const counted = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => {
    underWay.add(handler);
    return {
      onRequestStart: (...started) => handler.onRequestStart?.(...started),
      onRequestUpgrade: (...upgraded) => handler.onRequestUpgrade?.(...upgraded),
      onResponseStart: (...answered) => handler.onResponseStart?.(...answered),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd(...ended) {
        underWay.delete(handler);
        handler.onResponseEnd?.(...ended);
      },
      onResponseError(...failed) {
        underWay.delete(handler);
        handler.onResponseError?.(...failed);
      },
    };
  };
  return {
    line: line.compose((dispatch) => (options, handler) => dispatch(options, counted(handler))),
    underWay: () => underWay.size,
  };
}
