using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Xs2a;

/// <summary>Story 1: a TPP signs a request, and the bank's side verifies it.</summary>
internal static class SignAndVerify
{
    private const string Body = "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"}}";

    private static string Verify(Story story, IReadOnlyList<Header> headers, string body, string pointer)
    {
        var request = new Request("POST", Story.Payments, headers, Encoding.UTF8.GetBytes(body));
        return Tools.JsonAt(Tools.VerifySignature(request, story.Bank.Now(), null), pointer);
    }

    /// <summary>One bit of X-Request-ID: the lowest of its last hex digit.</summary>
    private static Header WithOneBitChanged(Header header)
    {
        if (header.Name != "X-Request-ID")
        {
            return header;
        }
        int last = header.Value.Length - 1;
        string digit = (Convert.ToInt32(header.Value.Substring(last), 16) ^ 1).ToString("x");
        return new Header(header.Name, header.Value.Substring(0, last) + digit);
    }

    private static void Main()
    {
        Console.WriteLine("1. sign and verify");
        using (var story = new Story())
        {
            Request request = story.Tpp.Sign(
                new Request("POST", Story.Payments, new[] { Story.Redirect }, Encoding.UTF8.GetBytes(Body)));

            // What was signed: the headers that Signature lists, in its order.
            string signature = request.Headers.First(header => header.Name == "Signature").Value;
            string names = signature.Split(new[] { "headers=\"" }, StringSplitOptions.None)[1].Split('"')[0];
            Console.WriteLine("signing string:\n" + Tools.SigningString(request, names));
            Console.WriteLine("verified: " + Verify(story, request.Headers, Body, "/ok"));
            var changed = request.Headers.Select(WithOneBitChanged).ToList();
            Console.WriteLine("one bit changed: " + Verify(story, changed, Body, "/reason"));
            Console.WriteLine("body changed: " + Verify(story, request.Headers, Body + " ", "/reason"));
        }
    }
}
