/** How the official clients take up broken streams: sooner and more often than by default, as their defaults give up after two attempts. */
export const RECONNECTION = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 2000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 20,
};
