using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text;
using System.Threading;
using Xs2a;

/// <summary>
/// Creates payments by four threads and measures the time; bench/bindings.py has the protocol of its input lines.
/// </summary>
internal static class Threads
{
    private const int Count = 4;
    private static int made;

    /// <summary>No two payments have the same amount, so that none is a duplicate.</summary>
    private static List<Request> Prepare(Story story, int count)
    {
        var requests = new List<Request>(count);
        while (requests.Count < count)
        {
            made++;
            string amount = string.Format("{0}.{1:00}", 1 + made / 100, made % 100);
            string body = Story.Order(amount, "95360573037", "95360573002", Story.Invoice);
            requests.Add(story.Tpp.Sign(
                new Request("POST", Story.Payments, Story.Headers, Encoding.UTF8.GetBytes(body))));
        }
        GC.Collect();
        return requests;
    }

    private static void CreatePart(Story story, List<Request> requests, int first)
    {
        for (int i = first; i < requests.Count; i += Count)
        {
            Response answer = story.Bank.Handle(requests[i]);
            if (answer.Status != 201)
            {
                Console.Error.WriteLine("{0} {1}", answer.Status, answer.Reason);
                Environment.Exit(1);
            }
        }
    }

    private static long Run(Story story, List<Request> requests)
    {
        var watch = Stopwatch.StartNew();
        var threads = Enumerable.Range(0, Count)
            .Select(first => new Thread(() => CreatePart(story, requests, first))).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return (long)(watch.Elapsed.TotalMilliseconds * 1e6);
    }

    private static void Main()
    {
        using (var story = new Story())
        {
            var requests = new List<Request>();
            for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
            {
                if (line.StartsWith("prepare "))
                {
                    requests = Prepare(story, int.Parse(line.Substring("prepare ".Length)));
                    Console.WriteLine("ready");
                }
                else
                {
                    Console.WriteLine(Run(story, requests));
                }
            }
        }
    }
}
