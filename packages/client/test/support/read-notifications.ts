// Reads a stream of notifications.
import type { ChangeNotification, NotificationStream } from "@oarlock/client";

/** So many notifications, or fewer when the stream ends before. */
export async function readNotifications(listening: NotificationStream, count: number): Promise<ChangeNotification[]> {
  const news: ChangeNotification[] = [];
  while (news.length < count) {
    const { value, done } = await listening.next();
    if (done === true) break;
    news.push(value);
  }
  return news;
}
